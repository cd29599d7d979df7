import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

// `npm run test:vm`: not part of `npm test`, as it takes minutes and fetches Envoys.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/vm/**/*.test.ts"],
    maxWorkers: 1,
    isolate: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
