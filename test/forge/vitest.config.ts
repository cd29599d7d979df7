import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

// `npm run test:forge`: with a Gitea that is compiled here; not part of `npm test`.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/forge/**/*.test.ts"],
    maxWorkers: 1,
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
