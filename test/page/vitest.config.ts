import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

// `npm run test:page`: not part of `npm test`, as it needs a browser, which is fetched once.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/page/**/*.test.ts"],
    maxWorkers: 1,
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Long enough for a browser on a busy machine.
    expect: { poll: { timeout: 60_000 } },
  },
});
