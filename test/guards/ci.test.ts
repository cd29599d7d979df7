import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("../../.ci/run", import.meta.url));

interface Commands {
  readonly test: string;
  readonly check: string;
  readonly python: string;
  /** Default: it passes. */
  readonly cluster?: string;
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
  put(
    "bin/npm",
    `#!/bin/sh\ncase "$*" in\ntest) ${commands.test} ;;\n"run check") ${commands.check} ;;\n` +
      `"run test:e2e") echo "e2e" ;;\n"run test:faults -- --times 1 --seed 777") echo "faults" ;;\n` +
      `"run test:guards-seen") echo "guards seen" ;;\n` +
      `"run test:upgrade") echo "upgrade" ;;\n"run test:package") echo "package" ;;\n` +
      `"run test:cluster") ${commands.cluster ?? 'echo "cluster"'} ;;\n` +
      `"run test:fuzz -- --seconds 60 --seed 777") echo "fuzz" ;;\n` +
      `"run test:walks -- --kept --from 777") echo "walks" ;;\n` +
      `"run demo -- --yes") echo "demo" ;;\n*) exit 9 ;;\nesac\n`,
  );
  put("bin/python3", `#!/bin/sh\n${commands.python}\n`);
  const env = { ...process.env, PATH: `${join(root, "bin")}:${process.env["PATH"] ?? ""}` };
  const done = spawnSync(join(root, ".ci/run"), { encoding: "utf8", env });
  rmSync(root, { recursive: true, force: true });
  return { code: done.status, lines: done.stdout.trimEnd().split("\n") };
}

const passed = 'echo "7 passed, 0 failed"';
const checked = 'echo "checked"';
const compared = 'echo "compared $*"';

const beforeCluster = ["7 passed, 0 failed", "checked", "e2e", "faults", "guards seen", "upgrade", "package"];

const cases = [
  {
    name: "everything passes: the tests' line closes",
    commands: { test: passed, check: checked, python: compared },
    wantCode: 0,
    wantLines: [
      "7 passed, 0 failed",
      "checked",
      "e2e",
      "faults",
      "guards seen",
      "upgrade",
      "package",
      "cluster",
      "fuzz",
      "walks",
      "compared test/vectors/check.py",
      "demo",
      "7 passed, 0 failed",
    ],
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
      "fuzz",
      "walks",
      "compared test/vectors/check.py",
      "demo",
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
    wantLines: [
      "7 passed, 0 failed",
      "checked",
      "e2e",
      "faults",
      "guards seen",
      "upgrade",
      "package",
      "cluster",
      "fuzz",
      "walks",
      "differs",
      "7 passed, 1 failed",
    ],
  },
];

describe("what CI runs ends with a line and an exit code that tell the truth", () => {
  it("is a bash script that stops at the first failure", () => {
    execFileSync("bash", ["-n", script]);
    expect(readFileSync(script, "utf8")).toContain("set -euo pipefail");
  });

  it.each(cases)("$name", ({ commands, wantCode, wantLines }) => {
    expect(runCi(commands)).toEqual({ code: wantCode, lines: wantLines });
  });
});
