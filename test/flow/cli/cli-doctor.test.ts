import { join } from "node:path";

import { demandReviews } from "#sandbox/github";
import { startPrometheus } from "#sandbox/prometheus";
import { startSlack } from "#sandbox/slack";
import { expect, onTestFinished, test } from "vitest";

import { campaign, type CliEnvironment, fillShops, openCliEnvironment, rollouts } from "./cli-environment.ts";

const files = { "rollouts.yml": rollouts, "campaigns/istio-1-25.yml": campaign };

async function openPeople(): Promise<Readonly<Record<string, string>>> {
  const slack = await startSlack({ tokens: [{ token: "xoxb-of-meshroll" }], channels: ["C0000001"] });
  const prometheus = await startPrometheus();
  onTestFinished(async () => {
    await Promise.all([slack.close(), prometheus.close()]);
  });
  return {
    MESHROLL_SLACK_TOKEN: "xoxb-of-meshroll",
    MESHROLL_SLACK_CHANNEL: "C0000001",
    MESHROLL_SLACK_API_URL: slack.url,
    MESHROLL_PROMETHEUS_URL: prometheus.url,
  };
}

interface Report {
  readonly kind: string;
  readonly checks: readonly {
    readonly code: string;
    readonly state: string;
    readonly message: string;
    readonly fix?: string;
  }[];
}

async function examine(environment: CliEnvironment, env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const isAboutClusters = !args.includes("--only") || args.includes("k8s");
  const named = ["--clusters", "one", "--kubeconfig", join(environment.folder, "kubeconfig")];
  const clusters = isAboutClusters ? named : [];
  const { code, stdout } = await environment.meshroll(["doctor", "-o", "json", ...clusters, ...args], env);
  const { kind, checks } = JSON.parse(stdout) as Report;
  expect(kind).toBe("DoctorReport");
  return { code, states: Object.fromEntries(checks.map((each) => [each.code, each.state])), checks };
}

test("doctor proves git, GitHub, Slack, Prometheus and each right of the executor, and says what it could not check", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  const people = await openPeople();
  await environment.meshroll(["init"]);
  const args = ["doctor", "--clusters", "one", "--kubeconfig", join(environment.folder, "kubeconfig")];
  const { code, stdout, stderr } = await environment.meshroll(args, people);
  expect({ code, stderr, failed: stdout.match(/^✖.*$/gmu) }).toEqual({ code: 0, stderr: "", failed: null });
  expect(stdout).toContain("✔ MR9002  main parses: 3 buckets, 1 unfinished campaign\n");
  expect(stdout).toContain("✔ MR9004  the ledger may be pushed to (tried without pushing)\n");
  expect(stdout).toContain("✔ MR9010  GitHub: the token is ana's and may write to acme/rollouts\n");
  expect(stdout).toContain("✔ MR9011  main requires meshroll/plan and meshroll/approvals\n");
  expect(stdout).toContain("✔ MR9040  Slack: the token is meshroll's in sandbox, and reads C0000001\n");
  expect(stdout).toContain("✔ MR9050  Prometheus answers queries\n");
  for (const what of [
    "look at",
    "move",
    "write Events",
    "prove injection",
    "read and record stops",
    "ask istiod",
    "see and move Argo Rollouts",
    "see and move groups",
  ])
    expect(stdout).toMatch(new RegExp(`one: may ${what}`, "u"));
  expect(stdout).toContain("! MR9012  this is a personal token");
  expect(stdout).toContain("✔ MR9013  meshroll/ledger refuses forced pushes and deletion");
  expect(stdout).toMatch(
    /\n21 ok, 0 failed, 1 warned\nnot checked: MR9071 k8s, MR9064 k8s, MR9070 k8s, MR9020 nats, MR9030 redis\n$/u,
  );
});

test("before the first campaign doctor names the next steps: the ledger, then the command that begins a campaign", async () => {
  const environment = await openCliEnvironment({ "rollouts.yml": rollouts }, fillShops);
  const ask = async () => (await environment.meshroll(["doctor", "--only", "git"])).stdout;
  const fresh = await ask();
  expect(fresh).toContain("? MR9003  there is no ledger yet\n    fix:\n      meshroll init\n");
  expect(fresh).not.toContain("next:");
  await environment.meshroll(["init"]);
  expect(await ask()).toMatch(
    /\nnext:\n {2}meshroll start campaigns\/NAME\.yml --dry-run\n {4}shows what a campaign moves first\n$/u,
  );
});

test("whatever is missing fails with exit code 79, each check with its fix", async () => {
  const environment = await openCliEnvironment({ "rollouts.yml": "production: {}\n" }, fillShops, {
    requiredChecks: ["meshroll/plan"],
    requiredReviews: 0,
  });
  environment.model.faults.forbid("configmaps");
  environment.model.faults.forbid("poddisruptionbudgets");
  const down = "http://127.0.0.1:1/";
  const env = {
    MESHROLL_GITHUB_TOKEN: "token-of-eve",
    MESHROLL_SLACK_TOKEN: "xoxb-wrong",
    MESHROLL_SLACK_API_URL: down,
    MESHROLL_PROMETHEUS_URL: down,
    MESHROLL_NATS_URL: "nats://127.0.0.1:1",
    MESHROLL_REDIS_URL: "redis://127.0.0.1:1",
  };
  const { code, states, checks } = await examine(environment, env);
  expect(code).toBe(79);
  expect(states).toEqual({
    MR9001: "ok",
    MR9002: "failed",
    MR9003: "notChecked",
    MR9004: "ok",
    MR9010: "failed",
    MR9011: "failed",
    MR9012: "warned",
    MR9013: "ok",
    MR9014: "ok",
    MR9016: "failed",
    MR9020: "failed",
    MR9030: "failed",
    MR9040: "failed",
    MR9050: "failed",
    MR9060: "failed",
    MR9061: "ok",
    MR9062: "failed",
    MR9063: "ok",
    MR9064: "failed",
    MR9065: "ok",
    MR9066: "failed",
    MR9067: "ok",
    // Reading ConfigMaps is refused, reading the policy's binding is not.
    MR9068: "failed",
    MR9070: "failed",
    MR9071: "notChecked",
    MR9072: "ok",
    MR9073: "ok",
  });
  const tell = (wanted: string) => checks.find((each) => each.code === wanted);
  expect(tell("MR9011")?.message).toBe("main does not require meshroll/approvals");
  expect(tell("MR9060")).toMatchObject({
    message: "one: may not look at workloads, pods, budgets and webhooks: list poddisruptionbudgets.policy, and 1 more",
    fix: expect.stringMatching(
      /rbac\.yaml, then {2}kubectl --kubeconfig \S+ auth can-i list poddisruptionbudgets\.policy -A$/mu,
    ),
  });
});

test("--only checks some parts; an unknown part, a cluster that does not answer and an unknown token are reported", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  expect((await examine(environment, {}, "--only", "github")).states).toEqual({
    MR9010: "ok",
    MR9011: "ok",
    MR9012: "warned",
    MR9013: "ok",
    MR9014: "ok",
    MR9016: "ok",
  });
  expect(await environment.meshroll(["doctor", "--only", "moon"])).toMatchObject({ code: 64, stdout: "" });
  const wrong = await examine(environment, { MESHROLL_GITHUB_TOKEN: "unknown" }, "--only", "github");
  expect(wrong).toMatchObject({ code: 79, checks: [{ code: "MR9010", fix: "renew the token" }] });
  const lost = await examine(environment, {}, "--only", "k8s", "--clusters", "two=nowhere");
  expect(lost).toMatchObject({
    code: 79,
    checks: [
      { code: "MR9060", message: expect.stringContaining("two: ") },
      { code: "MR9064", state: "notChecked" },
      { code: "MR9070", state: "notChecked" },
    ],
  });
});

test("doctor demands that the checks come from meshroll's own app, where its token is an app's", async () => {
  const protection = { requiredChecks: ["meshroll/plan", "meshroll/approvals"], requiredReviews: 0 };
  const env = { MESHROLL_GITHUB_TOKEN: "token-of-the-app" };
  const open = await openCliEnvironment(files, fillShops, protection);
  const loose = await examine(open, env, "--only", "github");
  const pinned = await openCliEnvironment(files, fillShops, { ...protection, checkSource: "meshroll[bot]" });
  const other = await openCliEnvironment(files, fillShops, { ...protection, checkSource: "github-actions[bot]" });
  const states = [pinned, other].map(
    async (environment) => (await examine(environment, env, "--only", "github")).states["MR9012"],
  );
  expect([loose.code, loose.states["MR9012"], ...(await Promise.all(states))]).toEqual([79, "failed", "ok", "failed"]);
  expect(loose.checks.find(({ code }) => code === "MR9012")?.message).toBe(
    "main takes meshroll/plan and meshroll/approvals from any source: a workflow, or an account with write access, can post it green",
  );
});

const demands = [
  {
    name: "reviews that GitHub counts, and a queue before them",
    rules: [
      { type: "pull_request", parameters: { required_approving_review_count: 1 } },
      { type: "merge_queue", parameters: { grouping_strategy: "HEADGREEN" } },
    ],
    want: [
      "warned",
      "main: its merge queue tests the last of a group alone, so two changes of rollouts.yml in one group wait for each other; " +
        "GitHub counts approvals itself, so a rollback waits for one",
    ],
  },
  {
    name: "branches that are up to date",
    rules: [{ type: "required_status_checks", parameters: { strict_required_status_checks_policy: true } }],
    want: [
      "warned",
      "main: branches must be up to date, so after each merge meshroll makes its branches again on main, " +
        "and their checks and notices start again",
    ],
  },
  {
    name: "a method that a rule alone allows",
    rules: [{ type: "pull_request", parameters: { allowed_merge_methods: ["rebase"] } }],
    want: ["ok", "main takes meshroll's merges, by rebase"],
  },
  {
    name: "no method at all",
    rules: [
      { type: "pull_request", parameters: { allowed_merge_methods: ["merge"] } },
      { type: "required_linear_history" },
    ],
    want: ["failed", "main allows no way to merge: its rules forbid what the repository allows"],
  },
];

test.each(demands)("doctor says what the branch demands of a merge: $name", async ({ rules, want }) => {
  const protection = { requiredChecks: [], requiredReviews: 0, rules };
  const environment = await openCliEnvironment(files, fillShops, protection);
  const { checks } = await examine(environment, {}, "--only", "github");
  const found = checks.find(({ code }) => code === "MR9014");
  expect([found?.state, found?.message]).toEqual(want);
});

test("doctor demands the review rules, and that meshroll may bypass them", async () => {
  const { rules = [] } = demandReviews([]);
  const protection = { requiredChecks: [], requiredReviews: 0 };
  const open = [
    await openCliEnvironment(files, fillShops, protection),
    await openCliEnvironment(files, fillShops, { ...protection, rules }),
    await openCliEnvironment(files, fillShops, { ...protection, ...demandReviews(["ana"]) }),
  ];
  const found = await Promise.all(open.map(async (each) => (await examine(each, {}, "--only", "github")).states));
  expect(found.map(({ MR9014, MR9016 }) => [MR9014, MR9016])).toEqual([
    ["ok", "failed"],
    ["warned", "ok"],
    ["ok", "ok"],
  ]);
});

const openLedgers = [
  { rules: ["deletion", "non_fast_forward"], lacks: "pushes of others than meshroll" },
  { rules: ["update"], lacks: "forced pushes, deletion" },
];

test.each(openLedgers)("doctor demands rules for the ledger's branch: $lacks", async ({ rules, lacks }) => {
  const environment = await openCliEnvironment(files, fillShops, {
    requiredChecks: [],
    requiredReviews: 0,
    ledgerRules: rules,
  });
  const { code, states, checks } = await examine(environment, {}, "--only", "github");
  expect([code, states["MR9013"]]).toEqual([79, "failed"]);
  expect(checks.find((each) => each.code === "MR9013")).toMatchObject({
    message: `meshroll/ledger allows ${lacks}: the planner decides nothing`,
    fix: expect.stringContaining("docs/how-to/protect-the-ledger.md"),
  });
});

const closed = { forcePushes: false, deletions: false, restricted: true };
const classics = [
  { name: "alone", rules: [], classic: closed, token: "token-of-root", want: "ok" },
  {
    name: "that allows forced pushes",
    rules: [],
    classic: { ...closed, forcePushes: true },
    token: "token-of-root",
    want: "failed",
  },
  { name: "that its token may not read", rules: [], classic: closed, token: undefined, want: "failed" },
];

test.each(classics)("doctor reads classic protection of the ledger's branch: $name", async (each) => {
  const { rules, classic, token, want } = each;
  const own = { requiredChecks: [], requiredReviews: 0, ledgerRules: rules, ledgerProtection: classic };
  const environment = await openCliEnvironment(files, fillShops, own);
  await environment.meshroll(["init"]);
  const env = token === undefined ? {} : { MESHROLL_GITHUB_TOKEN: token };
  expect((await examine(environment, env, "--only", "github")).states["MR9013"]).toBe(want);
});
