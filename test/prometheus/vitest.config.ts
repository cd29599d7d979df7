import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

// `npm run test:prometheus`. It needs a server from a distribution's packages, so it is not part of `npm test`.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/prometheus/**/*.test.ts"],
    maxWorkers: 1,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
