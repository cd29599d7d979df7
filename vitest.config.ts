import { defineConfig } from "vitest/config";

/** Unit tests over real git: it is started for every step. */
const realGit = [
  "libs/git/**/*.test.ts",
  "sandbox/github/**/*.test.ts",
  "sandbox/demo/world/review/*.test.ts",
  "test/flow/**/{pull-requests,stages-http}.test.ts",
  "test/flow/**/cli-*.test.ts",
];

/** The services as processes of their own: `npm run test:e2e`. `spine.test.ts`, the way of one merge, is in each run. */
const endToEnd = [
  "test/integration/{cli-campaign,cli-verbs,demo-ended,graceful-end,health}.test.ts",
  "test/integration/faults/faults.test.ts",
  "test/guards/secrets-in-logs.test.ts",
];

export default defineConfig({
  test: {
    restoreMocks: true,
    unstubEnvs: true,
    // More than there are cores where those are two: these tests wait for git, brokers and processes half of their time.
    maxWorkers: 4,
    setupFiles: ["test/property-seed.ts"],
    // Modules are loaded once by a worker, not once by each of its files: a third of all work. No module here keeps anything
    // that a test could see of another one.
    isolate: false,
    // Node loads modules itself, with their types stripped, as it does for the services: no transformation, no second module graph.
    experimental: { viteModuleRunner: false },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          // A net for what hangs, not a measurement: property tests on a busy machine may take seconds.
          testTimeout: 60_000,
          include: [
            "{libs,services,cli,agent,page,sandbox,scripts}/**/*.test.ts",
            "test/{world,auditor,flow,vectors,formats}/**/*.test.ts",
          ],
          exclude: realGit,
        },
      },
      {
        extends: true,
        // Workers of their own, which have held no other tests: starting a process copies the page tables of the one that
        // starts it, 18 ms for 500 MB, and these start thousands.
        test: { name: "git", include: realGit, testTimeout: 60_000 },
      },
      {
        extends: true,
        test: {
          name: "guards",
          include: ["test/guards/**/*.test.ts"],
          exclude: endToEnd,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          exclude: endToEnd,
          globalSetup: ["test/integration/brokers.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: endToEnd,
          globalSetup: ["test/integration/brokers.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
