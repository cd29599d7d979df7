import { readdirSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { lintAll, type LintCase } from "./lint-project.ts";

const restricted = "eslint(no-restricted-imports)";

function importOf(specifier: string): string {
  return `import { x } from "${specifier}";\nexport const y: unknown = x;\n`;
}

function typeImportOf(specifier: string): string {
  return `import type { X } from "${specifier}";\nexport type Y = X;\n`;
}

let count = 0;
function refuse(folder: string, specifier: string, text = importOf(specifier)): LintCase {
  count += 1;
  const path = `${folder}/bad-${count}.ts`;
  return { name: `${folder} must not import ${specifier}`, path, text, wantRule: restricted };
}

function accept(folder: string, specifier: string, text = importOf(specifier)): LintCase {
  count += 1;
  return { name: `${folder} may import ${specifier}`, path: `${folder}/good-${count}.ts`, text };
}

const pure = ["input", "rollouts", "campaign", "fleet", "injection", "plan", "simulation"].map(
  (name) => `libs/${name}`,
);
const adapters = ["git", "scm", "ledger", "kube", "queue", "bus", "chat", "prometheus", "vms", "artifact"].map(
  (name) => `libs/${name}`,
);
const services = ["planner", "executor", "notifier", "api", "injector"].map((name) => `services/${name}`);

/** Read from the disk, so that a new lib or service without a line in .oxlintrc.json is noticed. */
const folders = ["libs", "services"].flatMap((parent) =>
  readdirSync(new URL(`../../${parent}`, import.meta.url)).map((name) => `${parent}/${name}`),
);

const cases: readonly LintCase[] = [
  ...folders.map((folder) => refuse(folder, "a-package-that-must-not-be-imported")),
  ...pure.flatMap((folder) => [
    refuse(folder, "#libs/git"),
    refuse(folder, "#libs/events"),
    refuse(folder, "#libs/runtime"),
    refuse(folder, "#fakes/kube"),
    refuse(folder, "#sandbox/kube"),
    refuse(folder, "node:fs"),
    refuse(folder, "node:fs/promises"),
    refuse(folder, "pino"),
    refuse(folder, "@kubernetes/client-node"),
    refuse(folder, "#libs/git", typeImportOf("#libs/git")),
    refuse(folder, "bullmq (dynamically)", 'export const queue = import("bullmq");\n'),
    refuse(folder, "#libs/bus (by re-export)", 'export { x } from "#libs/bus";\n'),
    accept(folder, "./own-file.ts"),
  ]),
  ...pure.filter((folder) => folder !== "libs/input").map((folder) => accept(folder, "#libs/input")),
  refuse("libs/input", "#libs/rollouts"),
  refuse("libs/input", "zod"),
  refuse("libs/rollouts", "#libs/campaign"),
  refuse("libs/rollouts", "zod"),
  accept("libs/rollouts", "yaml"),
  accept("libs/rollouts", "re2js"),
  refuse("libs/campaign", "#libs/plan"),
  refuse("libs/campaign", "re2js"),
  accept("libs/campaign", "#libs/rollouts"),
  refuse("libs/campaign", "zod"),
  refuse("libs/fleet", "#libs/rollouts"),
  refuse("libs/fleet", "yaml"),
  refuse("libs/injection", "#libs/plan"),
  accept("libs/injection", "#libs/fleet"),
  refuse("libs/plan", "yaml"),
  refuse("libs/plan", "zod"),
  accept("libs/plan", "#libs/campaign"),
  accept("libs/plan", "#libs/injection"),
  refuse("libs/plan", "#libs/simulation"),
  accept("libs/simulation", "#libs/plan"),
  refuse("libs/simulation", "zod"),

  refuse("libs/events", "#libs/runtime"),
  refuse("libs/events", "#libs/bus"),
  refuse("libs/events", "#libs/plan"),
  accept("libs/events", "#libs/plan", typeImportOf("#libs/plan")),
  accept("libs/events", "zod"),
  accept("libs/events", "#libs/input"),
  refuse("libs/runtime", "#libs/plan"),
  refuse("libs/runtime", "#libs/git"),
  accept("libs/runtime", "pino"),
  accept("libs/runtime", "#libs/input"),
  accept("libs/runtime", "node:fs/promises"),

  ...adapters.flatMap((folder) => [
    ...adapters.filter((other) => other !== folder).map((other) => refuse(folder, `#${other}`)),
    refuse(
      folder,
      "#libs/bus or #libs/git, as a type",
      typeImportOf(folder === "libs/git" ? "#libs/bus" : "#libs/git"),
    ),
    refuse(folder, "#libs/repository"),
    refuse(folder, "#libs/plan", importOf("#libs/plan")),
    refuse(folder, "#fakes/kube"),
    refuse(folder, "#sandbox/github"),
    refuse(folder, "commander"),
    accept(folder, "#libs/plan", typeImportOf("#libs/plan")),
    accept(folder, "#libs/runtime"),
    accept(folder, "#libs/events"),
    accept(folder, "#libs/input"),
    accept(folder, "node:fs/promises"),
  ]),
  refuse("libs/git", "@octokit/rest"),
  accept("libs/git", "simple-git"),
  refuse("libs/scm", "simple-git"),
  refuse("libs/scm", "@octokit/rest"),
  accept("libs/scm/github", "@octokit/rest"),
  refuse("libs/scm/github", "simple-git"),
  refuse("libs/ledger", "ioredis"),
  refuse("libs/kube", "@nats-io/kv"),
  accept("libs/kube", "yaml"),
  refuse("libs/queue", "@nats-io/jetstream"),
  accept("libs/queue", "bullmq"),
  refuse("libs/bus", "bullmq"),
  accept("libs/bus", "@nats-io/transport-node"),
  accept("libs/artifact", "tuf-js"),
  accept("libs/artifact", "@tufjs/models"),
  accept("libs/vms", "#libs/bus", typeImportOf("#libs/bus")),
  refuse("libs/vms", "#libs/bus"),
  refuse("libs/vms/self-hosted", "@aws-sdk/client-ec2"),
  refuse("services/executor", "@aws-sdk/client-ec2"),
  refuse("agent", "tuf-js"),
  refuse("libs/kube", "tuf-js"),
  accept("libs/repository", "#libs/git"),
  refuse("libs/repository", "#libs/kube"),
  refuse("libs/repository", "simple-git"),

  ...services.flatMap((folder) => [
    refuse(folder, "#sandbox/github"),
    refuse(folder, "#fakes/kube"),
    refuse(folder, "#conformance/kube"),
    refuse(folder, "#test/world"),
    refuse(folder, "#libs/plan/decide.ts"),
    refuse(folder, "bullmq"),
    accept(folder, "#libs/bus"),
    accept(folder, "#libs/plan"),
    accept(folder, "node:process"),
  ]),
  refuse("services/planner", "#libs/kube"),
  refuse("services/executor", "#libs/scm"),
  refuse(
    "services/executor",
    "#libs/scm (its calls)",
    importOf("#libs/scm").replaceAll("{ x }", "{ openScm }").replace("= x", "= openScm"),
  ),
  accept(
    "services/executor",
    "#libs/scm (git's login)",
    'import { openLogins } from "#libs/scm";\nexport const y: unknown = openLogins;\n',
  ),
  refuse("services/executor", "#libs/prometheus"),
  accept("services/planner", "#libs/prometheus"),
  accept("services/executor", "#libs/kube"),
  refuse("services/api", "#libs/kube"),
  refuse("services/api", "#libs/git"),
  refuse("services/planner", "@octokit/webhooks-methods"),
  accept("services/api", "@octokit/webhooks-methods"),
  accept("services/api/routes", "../server-parts.ts"),
  ...["page/views", "page/model"].flatMap((folder) => [
    refuse(folder, "#libs/bus"),
    refuse(folder, "#libs/plan"),
    refuse(folder, "node:fs"),
    refuse(folder, "a-package-that-must-not-be-imported"),
    accept(folder, "#libs/plan", typeImportOf("#libs/plan")),
    accept(folder, "#libs/wording"),
  ]),
  accept("page/views", "preact"),
  refuse("page/model", "preact"),
  refuse("services/api", "preact"),
  refuse("cli", "#sandbox/demo"),
  refuse("cli", "simple-git"),
  accept("cli", "commander"),
  accept("cli", "#libs/rollouts"),
  refuse("scripts", "../sandbox/demo/main.ts"),
  refuse("scripts", "#sandbox/kube"),
  refuse("bench", "#sandbox/kube"),
  accept("sandbox/demo", "#sandbox/kube"),
  accept("sandbox/demo", "../../services/planner/reconcile/planner.ts"),
  accept("test/flow", "#sandbox/kube"),

  ...["libs/git/fake.ts", "libs/git/conformance.ts"].map((path): LintCase => {
    return { name: `${path} must not import #libs/bus`, path, text: importOf("#libs/bus"), wantRule: restricted };
  }),
  {
    name: "a conformance suite may not import a fake",
    path: "libs/kube/conformance/bad.ts",
    text: importOf("#fakes/kube"),
    wantRule: restricted,
  },
  {
    name: "a conformance suite may import the type of a fake",
    path: "libs/kube/conformance/good.ts",
    text: typeImportOf("#fakes/kube"),
  },
  {
    name: "a conformance suite may import vitest",
    path: "libs/bus/conformance.ts",
    text: importOf("vitest"),
  },
  {
    name: "a lib's test must not import the sandbox",
    path: "libs/kube/a.test.ts",
    text: importOf("#sandbox/kube"),
    wantRule: restricted,
  },
  { name: "a lib's test may import a fake", path: "libs/kube/c.test.ts", text: importOf("#fakes/git") },
];

describe("lint refuses every import against the order of the layers", () => {
  let done: ReturnType<typeof lintAll>;
  beforeAll(() => {
    done = lintAll(cases);
  });

  it("ends with an exit code that stops CI", () => expect(done.code).toBe(1));

  it.each(cases)("$name", ({ path, wantRule }) => {
    expect(done.rules.get(path) ?? []).toEqual(wantRule === undefined ? [] : [wantRule]);
  });
});
