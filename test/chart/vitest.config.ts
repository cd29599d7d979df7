import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

// `npm run test:chart`: not part of `npm test`, as it compiles Helm and a control plane.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/chart/**/*.test.ts"],
    maxWorkers: 1,
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
