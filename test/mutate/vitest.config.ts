import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

// `npm run test:mutate`: not part of `npm test`, as it compiles tools.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/mutate/**/*.test.ts"],
    maxWorkers: 1,
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
