import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { makeFolder, type Outcome } from "#test/run-cli";

const launcher = fileURLToPath(new URL("../bin/meshroll.mjs", import.meta.url));
const published = readFileSync(new URL("../test/fixtures/rollouts/airbnb.yml", import.meta.url), "utf8");

/** Starts a real process through the launcher, as a person does. */
function start(args: readonly string[], cwd: string, stdin = ""): Outcome {
  const done = spawnSync(process.execPath, [launcher, ...args], {
    cwd,
    input: stdin,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return { code: done.status ?? -1, stdout: done.stdout, stderr: done.stderr };
}

const nested = (text: string, count: number): string => text.repeat(count);

/** Hostile files, and the finding code that each must get. */
const hostile: readonly { name: string; text: string; wantCode: string }[] = [
  { name: "brackets in brackets", text: nested("[", 100_000), wantCode: "MR1015" },
  { name: "braces in braces", text: `a: ${nested("{a: ", 5000)}`, wantCode: "MR1015" },
  { name: "complex keys", text: nested("? ", 500), wantCode: "MR1013" },
  { name: "an alias", text: "production: &a\n  1-24-5: 100\nb: *a\n", wantCode: "MR1013" },
  { name: "a tag", text: "production: !!map\n  1-24-5: 100\n", wantCode: "MR1013" },
  { name: "2 MB", text: `${published}${nested("# more\n", 300_000)}`, wantCode: "MR1015" },
  { name: "NUL", text: "production:\n  1-24-5\0: 100\n", wantCode: "MR1017" },
  { name: "a wrong sum", text: "production:\n  1-24-5: 75\n  1-25-2: 30\n", wantCode: "MR1004" },
  { name: "look-behind", text: `${published}"(?<=a)b": {1-24-5: 100}\n`, wantCode: "MR1006" },
  { name: "a back-reference", text: `${published}"(a)\\\\1": {1-24-5: 100}\n`, wantCode: "MR1006" },
  { name: "an en dash", text: "production:\n  1–24–5: 100\n", wantCode: "MR1011" },
  { name: "a bucket twice", text: `${published}istio-e2e:\n  1-24-5: 100\n`, wantCode: "MR1002" },
  { name: "a fraction", text: "production:\n  1-24-5: 99.5\n  1-25-2: 0.5\n", wantCode: "MR1005" },
  { name: "an exponent", text: "production:\n  1-24-5: 1e2\n", wantCode: "MR1005" },
];

interface Findings {
  readonly findings: readonly {
    readonly file: string;
    readonly code: string;
    readonly severity: string;
    readonly line: number;
  }[];
}

describe("the meshroll process", () => {
  it("answers every hostile file with 65 and its code, in one call", () => {
    const files = Object.fromEntries(hostile.map(({ text }, index) => [`${index}.yml`, text]));
    const { code, stdout, stderr } = start(["validate", ...Object.keys(files), "-o", "json"], makeFolder(files));
    const { findings } = JSON.parse(stdout) as Findings;
    const codes = hostile.map(({ name }, index) => {
      const first = findings.find(({ file, severity }) => file === `${index}.yml` && severity === "error");
      return { name, code: first?.code };
    });
    expect(codes).toEqual(hostile.map(({ name, wantCode }) => ({ name, code: wantCode })));
    expect({ code, stderr }).toEqual({ code: 65, stderr: "" });
  });

  it("keeps data on stdout and messages on stderr, with the exit code of a bad line", () => {
    const cwd = makeFolder({ "rollouts.yml": published });
    const { code, stdout, stderr } = start(["assign", "-f", "-"], cwd, "istio-e2e\nNot_A_Name\nother\n");
    expect(code).toBe(65);
    expect(stdout).toBe("istio-e2e\tistio-e2e\t1-25-2\nother\tproduction\t1-24-5\n");
    expect(stderr).toBe("(stdin):2: `Not_A_Name` is not a namespace's name\n");
  });

  it("ends with 0 for valid input and 64 for a wrong command line", () => {
    const cwd = makeFolder({ "rollouts.yml": published });
    expect(start(["validate"], cwd)).toEqual({
      code: 0,
      stdout: "✔ rollouts.yml: 3 buckets, no findings\n",
      stderr: "",
    });
    const wrong = start(["valdate"], cwd);
    expect({ ...wrong, stderr: wrong.stderr.split("\n")[0] }).toEqual({
      code: 64,
      stdout: "",
      stderr: "error: unknown command 'valdate'",
    });
  });

  it("ends without an error when its reader closes the pipe", () => {
    const cwd = makeFolder({ "rollouts.yml": published });
    const names = Array.from({ length: 50_000 }, (_, index) => `ns-${index}`).join("\n");
    const line = `"${process.execPath}" "${launcher}" assign | head -n 1`;
    const done = spawnSync("bash", ["-c", `set -o pipefail; ${line}`], { cwd, input: names, encoding: "utf8" });
    expect({ code: done.status, stdout: done.stdout, stderr: done.stderr }).toEqual({
      code: 0,
      stdout: "ns-0\tproduction\t1-24-5\n",
      stderr: "",
    });
  });
});

it("a package made from a checkout has only the launcher, which names the command that makes the package", () => {
  const folder = makeFolder({});
  const root = fileURLToPath(new URL("..", import.meta.url));
  const packed = spawnSync("npm", ["pack", root, "--json", "--pack-destination", folder], { encoding: "utf8" });
  const [made] = JSON.parse(packed.stdout) as readonly { filename: string; files: readonly { path: string }[] }[];
  const files = made?.files.map(({ path }) => path).toSorted();
  expect(files).toEqual(["LICENSE", "README.md", "bin/meshroll.mjs", "package.json"]);
  spawnSync("tar", ["-xf", made?.filename ?? "", "-C", folder], { cwd: folder });
  const packaged = join(folder, "package", "bin", "meshroll.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [packaged, "status"], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 78, stdout: "" });
  expect(stderr).toContain(
    "is of meshroll's sources, not of its package\n  make the package in a checkout:  npm run package\n",
  );
});
