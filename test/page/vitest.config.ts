import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

// `npm run test:page`: needs a browser, which is fetched once; so it is no part of `npm test`.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/page/**/*.test.ts"],
    maxWorkers: 1,
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // A net for what hangs: a browser on a busy machine takes its time.
    expect: { poll: { timeout: 60_000 } },
  },
});
