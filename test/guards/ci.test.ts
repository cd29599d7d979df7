import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("../../.ci/run", import.meta.url));

/** What follows the tests and the check, by npm's arguments, in this order; Python and the demo come last. */
const steps = [
  "run test:e2e",
  "run test:faults -- --times 1 --seed 777",
  "run test:guards-seen",
  "run test:upgrade",
  "run test:package",
  "run test:prometheus",
  "run test:page",
  "run test:vm",
  "run test:fuzz -- --seconds 60 --seed 777",
  "run test:walks -- --kept --from 777",
  "run test:cluster",
  "run test:mesh",
  "run test:mutate",
  "run test:forge",
  "run demo -- --yes",
];
const [last = ""] = steps.slice(-1);
const beforePython = steps.slice(0, -1);
const cluster = steps.indexOf("run test:cluster");

interface Commands {
  readonly test: string;
  readonly check: string;
  readonly python: string;
  /** Default: it passes. */
  readonly cluster?: string;
  /** Default: it fails, which is for the steps that need it to say. */
  readonly compile?: string;
  readonly upgrade?: string;
}

/** Runs .ci/run where `npm test`, `npm run check` and `python3` are stand-ins that print and end like this; the rest passes. */
function runCi(commands: Commands) {
  const root = mkdtempSync(join(tmpdir(), "meshroll-ci-"));
  const put = (path: string, text: string) => {
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), 0o755);
  };
  mkdirSync(join(root, ".ci"));
  mkdirSync(join(root, "bin"));
  put(".ci/run", readFileSync(script, "utf8"));
  const answers = {
    test: commands.test,
    "run check": commands.check,
    "run test:cluster": commands.cluster ?? 'echo "run test:cluster"',
    "run test:upgrade": commands.upgrade ?? 'echo "run test:upgrade"',
    [compile]: commands.compile ?? 'echo "compiles" >&2; exit 1',
  };
  const chosen = Object.entries(answers).map(([step, answer]) => `"${step}") ${answer} ;;`);
  const known = steps.map((step) => `"${step}") echo "${step}" ;;`);
  put("bin/npm", `#!/bin/sh\ncase "$*" in\n${[...chosen, ...known].join("\n")}\n*) exit 9 ;;\nesac\n`);
  put("bin/python3", `#!/bin/sh\n${commands.python}\n`);
  const env = { ...process.env, PATH: `${join(root, "bin")}:${process.env["PATH"] ?? ""}` };
  const done = spawnSync(join(root, ".ci/run"), { encoding: "utf8", env });
  rmSync(root, { recursive: true, force: true });
  return { code: done.status, lines: done.stdout.trimEnd().split("\n"), said: done.stderr };
}

/** Printed by nothing that CI counts: it runs next to the steps, and its failure is for the step that needs it to say. */
const compile = "run test:compile";

const passed = 'echo "7 passed, 0 failed"';
const checked = 'echo "checked"';
const compared = 'echo "compared $*"';

const begun = ["7 passed, 0 failed", "checked"];
const beforeCluster = [...begun, ...steps.slice(0, cluster)];

const cases = [
  {
    name: "everything passes: the tests' line closes",
    commands: { test: passed, check: checked, python: compared },
    wantCode: 0,
    wantLines: [...begun, ...beforePython, "compared test/vectors/check.py", last, "7 passed, 0 failed"],
  },
  {
    name: "a test fails: nothing else runs",
    commands: { test: 'echo "6 passed, 1 failed"; exit 1', check: checked, python: compared },
    wantCode: 1,
    wantLines: ["6 passed, 1 failed", "6 passed, 1 failed"],
  },
  {
    name: "the tests end badly after a good line",
    commands: { test: `${passed}; exit 3`, check: checked, python: compared },
    wantCode: 3,
    wantLines: ["7 passed, 0 failed", "7 passed, 1 failed"],
  },
  {
    name: "the tests cannot even start",
    commands: { test: 'echo "no npm ci"; exit 1', check: checked, python: compared },
    wantCode: 1,
    wantLines: ["no npm ci", "0 passed, 1 failed"],
  },
  {
    name: "a check fails: it counts as one failure more",
    commands: { test: passed, check: 'echo "failed: lint"; exit 1', python: compared },
    wantCode: 1,
    wantLines: ["7 passed, 0 failed", "failed: lint", "7 passed, 1 failed"],
  },
  {
    name: "a control plane cannot be had: that is said, and no failure",
    commands: { test: passed, check: checked, python: compared, cluster: 'echo "SKIPPED"; exit 3' },
    wantCode: 0,
    wantLines: [
      ...beforeCluster,
      "SKIPPED",
      ...beforePython.slice(cluster + 1),
      "compared test/vectors/check.py",
      last,
      "7 passed, 0 failed",
    ],
  },
  {
    name: "a test on the control plane fails: it counts as one failure more",
    commands: { test: passed, check: checked, python: compared, cluster: 'echo "broken"; exit 1' },
    wantCode: 1,
    wantLines: [...beforeCluster, "broken", "7 passed, 1 failed"],
  },
  {
    name: "the other language disagrees: it counts as one failure more",
    commands: { test: passed, check: checked, python: 'echo "differs"; exit 1' },
    wantCode: 1,
    wantLines: [...begun, ...beforePython, "differs", "7 passed, 1 failed"],
  },
];

/** Whether it runs: one that has ended may stay in the table until its new parent looks, as a zombie. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync("/proc/self/stat") || !/\) Z /u.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe("what CI runs ends with a line and an exit code that tell the truth", () => {
  it("is a bash script that stops at the first failure", () => {
    execFileSync("bash", ["-n", script]);
    expect(readFileSync(script, "utf8")).toContain("set -euo pipefail");
  });

  it.each(cases)("$name", ({ commands, wantCode, wantLines }) => {
    const { said, ...done } = runCi(commands);
    expect(done).toEqual({ code: wantCode, lines: wantLines });
    // What the control plane's step runs on was compiled before it.
    expect(said.includes("compiles")).toBe(wantLines.includes("run test:walks -- --kept --from 777"));
  });

  it("ends what it started next to the steps, and what that started, when a step fails", async () => {
    // The step fails once the compiler runs, and prints which process that is.
    const compiles = "sleep 300 & echo $! > compiler.new; mv compiler.new compiler; wait";
    const fails = "until [ -e compiler ]; do sleep 0.05; done; cat compiler; exit 1";
    const { code, lines } = runCi({ test: passed, check: checked, python: "", compile: compiles, upgrade: fails });
    const compiler = Number(lines.at(-2));
    expect([code, lines.at(-1), compiler > 1]).toEqual([1, "7 passed, 1 failed", true]);
    await expect.poll(() => isRunning(compiler)).toBe(false);
  });
});
