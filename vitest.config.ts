import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    restoreMocks: true,
    // By default one core stays free; these tests wait for git, brokers and processes half of their time.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          // A net for what hangs, not a measurement: property tests on a busy machine may take seconds.
          testTimeout: 30_000,
          include: [
            "{libs,services,cli,sandbox,scripts}/**/*.test.ts",
            "test/{world,auditor,flow,vectors}/**/*.test.ts",
          ],
        },
      },
      {
        extends: true,
        test: { name: "guards", include: ["test/guards/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          globalSetup: ["test/integration/brokers.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
