import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

// `npm run test:cluster` and `npm run test:mesh`: not part of `npm test`, as they compile a control plane.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/cluster/**/*.test.ts"],
    maxWorkers: 1,
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
