import { defineConfig } from "vitest/config";

// Projects whose name begins with `long-` are steps of `npm run test:long` (test/long.ts); `npm test` runs all others.

/** Real processes, servers and sockets whose timeouts are waited for in real time, or whose speed is measured. */
const timed = [
  "agent/{power-cut,process}.test.ts",
  "agent/proxy/process-table.test.ts",
  "cli/contexts/port-forward.test.ts",
  "libs/kube/cluster/hostile-answers.test.ts",
  "libs/rollouts/parsing-cost.test.ts",
  "libs/runtime/service/run-service.test.ts",
  "sandbox/demo/play/patience.test.ts",
  "sandbox/kube/reflector.test.ts",
  "scripts/package/bundle-agent.test.ts",
  "services/api/{main,slow-connections}.test.ts",
  "test/integration/{bus-faults,cli-without-bus,github-app,notifier,queue-faults,vms}.test.ts",
  "test/integration/judging/child-judge.test.ts",
];

/** Stories that play hours of a fleet on the virtual clock, seconds of processor time each: attacks, outages, restarts, walks. */
const flows = [
  "test/flow/{faults,restarts,walks}/*.test.ts",
  "test/flow/campaign/{gates,late-bakes,two-campaigns}.test.ts",
  "test/flow/merge/{archived-runs,away-for-a-week,clusters,converge,old-runs,owners}.test.ts",
  "test/flow/rollback/{back-and-forward,broken-rollbacks,overwritten-rollbacks,rolled-back-commits}.test.ts",
  "test/flow/stop/stuck-workloads.test.ts",
  "test/flow/unread/unread-campaigns.test.ts",
  "test/world/status-patches.property.test.ts",
];

/** Tests over real git that start it hundreds of times. */
const gitFlows = [
  "libs/git/repository/git-bombs.test.ts",
  "sandbox/github/state/faults.test.ts",
  "test/flow/campaign/{pull-requests,stages-http,stages-old-reads}.test.ts",
  "test/flow/hub/*.test.ts",
  "test/flow/cli/cli-{doctor,explain,ledger}.test.ts",
  "test/flow/unread/cli-unread.test.ts",
];

/** Guards that copy the tree, or start a tool once for each case. */
const tools = ["test/guards/{check,dead-code,lint-code,lint-directions,run,types}.test.ts"];

/** Unit tests over real git: it is started for every step. */
const realGit = [
  "libs/git/**/*.test.ts",
  "sandbox/github/**/*.test.ts",
  "sandbox/demo/world/review/*.test.ts",
  "test/flow/**/{pull-requests,stages-http,stages-old-reads}.test.ts",
  "test/flow/**/cli-*.test.ts",
  "test/flow/hub/*.test.ts",
  "test/flow/fleets/users-of-a-revision.test.ts",
];

/** The services as processes of their own: `npm run test:e2e`. */
const endToEnd = [
  "test/integration/{cli-campaign,cli-verbs,demo-ended,graceful-end,health,vm-agent}.test.ts",
  "test/integration/faults/faults.test.ts",
  "test/guards/secrets-in-logs.test.ts",
];

const long = [...timed, ...flows, ...gitFlows, ...tools, ...endToEnd];
const brokers = { globalSetup: ["test/integration/brokers.ts"] };

export default defineConfig({
  test: {
    restoreMocks: true,
    unstubEnvs: true,
    // More than there are cores where those are two: these tests wait for git, brokers and processes half of their time.
    maxWorkers: 4,
    // Modules are loaded once by a worker, not once by each of its files: a third of all work. No module here keeps anything
    // that a test could see of another one.
    isolate: false,
    setupFiles: ["test/property-seed.ts", "test/patient-waits.ts"],
    expect: { poll: { timeout: 60_000 } },
    // Node loads modules itself, with their types stripped, as it does for the services: no transformation, no second module graph.
    experimental: { viteModuleRunner: false },
    // A net for what hangs, not a measurement: on a busy machine a test may take minutes. No test has a limit of its own.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "{libs,services,cli,agent,page,sandbox,scripts}/**/*.test.ts",
            "test/{world,auditor,flow,vectors}/**/*.test.ts",
          ],
          exclude: [...realGit, ...long],
        },
      },
      {
        extends: true,
        // Workers of their own, which have held no other tests: starting a process copies the page tables of the one that
        // starts it, 18 ms for 500 MB, and these start thousands.
        test: { name: "git", include: realGit, exclude: long },
      },
      {
        extends: true,
        test: { name: "guards", include: ["test/guards/**/*.test.ts"], exclude: long },
      },
      {
        extends: true,
        test: { name: "integration", include: ["test/integration/**/*.test.ts"], exclude: long, ...brokers },
      },
      { extends: true, test: { name: "long-e2e", include: endToEnd, ...brokers } },
      { extends: true, test: { name: "long-timed", include: timed, ...brokers } },
      { extends: true, test: { name: "long-flows", include: [...flows, ...gitFlows] } },
      { extends: true, test: { name: "long-tools", include: tools } },
    ],
  },
});
