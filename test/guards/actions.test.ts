import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const version = (JSON.parse(read("package.json")) as { readonly version: string }).version;

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly "timeout-minutes"?: number;
}

const workflows = readdirSync(join(root, ".github/workflows")).map(
  (name) => [name, parse(read(`.github/workflows/${name}`)) as Workflow] as const,
);
const action = parse(read("action.yml")) as { readonly runs: { readonly steps: readonly Step[] } };

describe.each(workflows)("the workflow %s", (_name, workflow) => {
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  it("only reads, unless a job gives the reason why it writes", () =>
    expect(workflow.permissions).toEqual({ contents: "read" }));

  it("never runs a stranger's code with a token that writes", () =>
    expect(Object.keys(workflow.on)).not.toContain("pull_request_target"));

  it("refers to other people's actions by commit", () => {
    for (const { uses } of steps) expect(uses ?? "x/y@".padEnd(44, "0")).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  });

  it("puts no expression into a script, because its value would be executed", () => {
    for (const { run } of steps) expect(run ?? "").not.toContain("${{");
  });

  it("runs scripts that exist, and has time limits", () => {
    const scripts = Object.keys((JSON.parse(read("package.json")) as { readonly scripts: object }).scripts);
    const named = steps.flatMap(({ run = "" }) => [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name));
    for (const name of named) expect(scripts).toContain(name);
    for (const job of Object.values(workflow.jobs)) expect(job["timeout-minutes"]).toBeGreaterThan(0);
  });
});

it.each([
  { job: "npm", list: /npm sbom .*> dist\//u, publish: /npm publish .*--provenance/u },
  { job: "image", list: /docker buildx build .*--sbom=true --provenance=mode=max/u, publish: /--push/u },
])("$job of a release is published after all tests, with its SBOM, its provenance and a signature", (want) => {
  const release = new Map(workflows).get("release.yml");
  const job = release?.jobs[want.job];
  const steps = job?.steps ?? [];
  const scripts = steps.map(({ run = "" }) => run.replaceAll("\\\n", "")).join("\n");
  const rights = job?.permissions;
  expect([job?.needs, rights?.["id-token"], rights?.["attestations"]]).toEqual(["test", "write", "write"]);
  expect(release?.jobs["test"]?.steps.map(({ run }) => run)).toContain("bash .ci/run");
  expect(scripts).toMatch(want.list);
  expect(scripts).toMatch(want.publish);
  expect(steps.filter(({ uses = "" }) => uses.startsWith("actions/attest-build-provenance@"))).toHaveLength(1);
});

it("a release needs a section in CHANGELOG.md, or the version was not released yet", () => {
  expect(read("CHANGELOG.md")).toMatch(
    new RegExp(`^## ${version.replaceAll(".", String.raw`\.`)} |^## Unreleased$`, "mu"),
  );
});

describe("action.yml", () => {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-action-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function git(...args: readonly string[]): string {
    const who = ["-c", "user.name=ana", "-c", "user.email=ana@example.com"];
    const done = spawnSync("git", [...who, "-C", join(folder, "checkout"), ...args], { encoding: "utf8" });
    if (done.status !== 0) throw new Error(done.stderr);
    return done.stdout.trim();
  }

  /**
   * Plays the action as a runner does: evaluates `if` only for inputs, puts expressions of inputs into `env` only, and runs
   * bash with `-e`.
   */
  function play(inputs: Readonly<Record<string, string>>) {
    const outcomes: { readonly code: number | null; readonly stdout: string; readonly stderr: string }[] = [];
    for (const { run = "", env = {}, if: when } of action.runs.steps) {
      const input = /^inputs\.(\w+) != ''$/.exec(when ?? "")?.[1];
      if (input !== undefined && (inputs[input] ?? "") === "") continue;
      const given = Object.entries(env).map(
        ([name, text]) =>
          [name, text.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_all, key: string) => inputs[key] ?? "")] as const,
      );
      const own = {
        GITHUB_ACTION_PATH: root,
        GITHUB_WORKSPACE: join(folder, "checkout"),
        GITHUB_STEP_SUMMARY: join(folder, "summary"),
        RUNNER_TEMP: folder,
        ...Object.fromEntries(given),
      };
      const { status, stdout, stderr } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", run], {
        cwd: join(folder, "checkout"),
        env: { HOME: folder, PATH: process.env["PATH"], ...own },
        encoding: "utf8",
      });
      outcomes.push({ code: status, stdout, stderr });
      if (status !== 0) break;
    }
    return outcomes;
  }

  it("annotates what is wrong and what a valid change moves; the checkout stays as it was", () => {
    mkdirSync(join(folder, "checkout"));
    cpSync(join(root, "test/fixtures/fleet/six-clusters.json"), join(folder, "checkout", "fleet.json"));
    const file = join(folder, "checkout", "rollouts.yml");
    git("init", "--quiet", "--initial-branch=main");
    writeFileSync(file, "production: {1-24-5: 100, 1-25-2: 0}\n");
    git("add", ".");
    git("commit", "--quiet", "-m", "before");
    const base = git("rev-parse", "HEAD");
    writeFileSync(file, "production: {1-24-5: 75, 1-25-2: 30}\n");
    git("commit", "--quiet", "-am", "wrong");
    expect(play({ base, fleet: "fleet.json" })).toEqual([
      {
        code: 65,
        stdout: expect.stringMatching(/^::error file=rollouts\.yml,line=1,col=\d+,title=MR1004::/) as string,
        stderr: "",
      },
    ]);
    writeFileSync(file, "production: {1-24-5: 75, 1-25-2: 25}\n");
    git("commit", "--quiet", "-am", "right");
    // actions/checkout leaves a pull request like this: no branch at all.
    git("checkout", "--quiet", "--detach");
    git("branch", "--quiet", "-D", "main");
    const moves = expect.stringMatching(
      /::notice title=meshroll plan::\d+ namespaces move, \d+ workloads restart\n$/,
    ) as string;
    expect(play({ base, fleet: "fleet.json" })).toEqual([
      { code: 0, stdout: "", stderr: "" },
      { code: 0, stdout: moves, stderr: "" },
    ]);
    expect(readFileSync(join(folder, "summary"), "utf8")).toContain("NAMESPACE");
    expect(play({ base })).toHaveLength(1);
    expect(git("status", "--short") + git("branch", "--list", "main")).toBe("");
  });

  it("says what is missing when the commit to compare with does not exist", () => {
    const last = play({ base: "0".repeat(40), fleet: "fleet.json" }).at(-1);
    expect(last).toMatchObject({ code: 78, stdout: expect.stringContaining("fetch-depth 0") as string });
  });

  it("runs files that exist", () => {
    const named = action.runs.steps.flatMap(({ run = "" }) => [...run.matchAll(/GITHUB_ACTION_PATH\/([\w./-]+)/g)]);
    expect(named.length).toBe(2);
    for (const [, path = ""] of named)
      expect({ path, exists: existsSync(join(root, path)) }).toMatchObject({ exists: true });
  });
});
