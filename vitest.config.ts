import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    restoreMocks: true,
    unstubEnvs: true,
    // More than there are cores where those are two: these tests wait for git, brokers and processes half of their time.
    maxWorkers: 3,
    // Modules are loaded once by a worker, not once by each of its files: a third of all work. No module here keeps anything
    // that a test could see of another one.
    isolate: false,
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
