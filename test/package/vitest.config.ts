import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

// `npm run test:package`: minutes, and a download of older Nodes; so it is no part of `npm test`.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/package/**/*.test.ts"],
    globalSetup: ["test/package/install-package.ts"],
    maxWorkers: 1,
    isolate: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
