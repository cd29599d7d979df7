import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

// `npm run test:package`: not part of `npm test`, as it takes minutes and downloads older versions of Node.
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
