import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, expect, inject, it } from "vitest";

import { makePath, runNpm } from "./install-package.ts";

const installed = inject("installed");
const versions = Object.keys(installed.nodes);
const old = versions.filter((version) => version.startsWith("20."));
const able = versions.filter((version) => !version.startsWith("20."));
const empty = join(installed.folder, "ein Ordner, ganz für sich");
const repository = join(installed.folder, "rollouts.git");

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in the empty folder; nothing of this checkout is in its environment. */
function run(version: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Run {
  const own = { HOME: installed.folder, PATH: makePath(installed, version), NO_COLOR: "1", ...env };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: empty, env: own, encoding: "utf8" });
  return { code: status, stdout, stderr };
}

function git(...args: readonly string[]): void {
  const who = ["-c", "user.name=ana", "-c", "user.email=ana@example.com"];
  execFileSync("git", [...who, "-C", repository, ...args], { stdio: "pipe" });
}

/** A replacement for ssh that runs the remote command on this machine. */
function writeSsh(): string {
  const path = join(installed.folder, "ssh-here");
  writeFileSync(path, '#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\nexec sh -c "$1"\n');
  chmodSync(path, 0o755);
  return path.replaceAll(" ", "\\ ");
}

beforeAll(() => {
  mkdirSync(empty);
  const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url));
  cpSync(join(fixtures, "campaigns", "rollouts.yml"), join(empty, "rollouts.yml"));
  cpSync(join(fixtures, "campaigns", "istio-1-25.yml"), join(empty, "istio-1-25.yml"));
  cpSync(join(fixtures, "fleet", "six-clusters.json"), join(empty, "fleet.json"));
  cpSync(join(fixtures, "rollouts", "mr1004.yml"), join(empty, "wrong.yml"));
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", repository]);
  const rollouts = join(repository, "rollouts.yml");
  writeFileSync(rollouts, "production:\n  1-24-5: 95\n  1-25-2: 5\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "five percent");
});

const verbs: readonly {
  readonly name: string;
  readonly args: readonly string[];
  readonly wantCode?: number;
  readonly want: string | RegExp;
}[] = [
  { name: "says its version", args: ["--version"], want: /^\d+\.\d+\.\d+\n$/ },
  { name: "shows its help", args: ["--help"], want: "Usage: meshroll" },
  { name: "shows its help by the command help", args: ["help"], want: "Usage: meshroll" },
  { name: "shows a command's help", args: ["help", "plan"], want: "Usage: meshroll plan" },
  { name: "validates a file", args: ["validate"], want: "✔ rollouts.yml" },
  { name: "finds what is wrong", args: ["validate", "wrong.yml"], wantCode: 65, want: "MR1004" },
  { name: "has the page of a finding", args: ["explain", "MR1004"], want: "percentages do not add up" },
  { name: "assigns", args: ["assign", "payments"], want: /^payments\t\S+\t1-24-5\n$/ },
  {
    name: "explains, and hints at the command that works here",
    args: ["explain", "listings-web"],
    want: "  meshroll pin",
  },
  {
    name: "simulates",
    args: ["simulate", "istio-1-25.yml", "--fleet", "fleet.json", "--start", "2026-11-09T09:00+01:00", "--runs", "1"],
    want: "Ends Thu 19 Nov 2026",
  },
  {
    name: "reads a repository",
    args: ["explain", "payments", "--repo", pathToFileURL(repository).href],
    want: "payments → 1-24-5",
  },
  { name: "completes for a shell", args: ["completion", "bash"], want: "_meshroll" },
  { name: "completes a word", args: ["__complete", "get", ""], want: "campaigns" },
];

describe.each(able)("the package on Node %s", (version) => {
  it.each(verbs)("$name", ({ args, want, wantCode = 0 }) => {
    const { code, stdout, stderr } = run(version, "meshroll", args);
    expect({ code, stderr }).toEqual({
      code: wantCode,
      stderr: wantCode === 0 ? "" : "more: meshroll explain MR1004\n",
    });
    expect(stdout).toMatch(want);
  });

  it("has a copy of the help that equals what the command line prints", () => {
    expect(run(version, "meshroll", ["--help"]).stdout).toBe(run(version, "meshroll", ["help"]).stdout);
  });

  it("as a plugin of kubectl names itself as it was called, and completes words", () => {
    expect(run(version, "kubectl-meshroll", ["--help"]).stdout).toContain("Usage: kubectl meshroll");
    expect(run(version, "kubectl_complete-meshroll", ["va"]).stdout).toContain("validate");
    expect(run(version, "kubectl_complete-meshroll", ["--help"]).stdout).not.toContain("Usage");
  });

  it("reads a repository by ssh, with limited transfer", () => {
    const url = `ssh://git@localhost${encodeURI(repository)}`;
    const env = { GIT_SSH_COMMAND: writeSsh() };
    const { code, stdout, stderr } = run(version, "meshroll", ["explain", "payments", "--repo", url], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("payments → 1-24-5");
  });

  it.each(["planner", "executor", "notifier", "api"])("starts the %s, which lacks only its environment", (service) => {
    const { code, stderr } = run(version, `meshroll-${service}`, []);
    expect({ code, stderr }).toEqual({
      code: 78,
      stderr: expect.stringMatching(/^the environment is not usable:\n/) as string,
    });
  });
});

describe.each(old)("the package on Node %s, which is too old", (version) => {
  it.each(["meshroll", "meshroll-planner"])("%s says so, and what to do", (command) => {
    const { code, stderr } = run(version, command, ["--version"]);
    const { engines } = JSON.parse(readFileSync(join(installed.root, "package.json"), "utf8")) as {
      readonly engines: { readonly node: string };
    };
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        `meshroll: Node ${version} cannot run this: it needs Node ${engines.node}\n` +
        "  install Node 24 and run the same command again\n",
    });
  });
});

describe("what is in the package", () => {
  const names = readdirSync(installed.root, { recursive: true, encoding: "utf8" }).filter(
    (name) => !name.startsWith("node_modules"),
  );

  it("is compiled: no TypeScript, no test, no stand-in", () => {
    expect(names.length).toBeGreaterThan(300);
    expect(names.filter((name) => /\.ts$|\.test\.|\/(?:fake|conformance)(?:\/|\.)|(?:^|\/)\./.test(name))).toEqual([]);
  });

  it("has a source map for each file of code", () => {
    const compiled = names.filter((name) => name.startsWith("code/") && name.endsWith(".js"));
    expect(compiled.length).toBeGreaterThan(100);
    expect(compiled.filter((name) => !names.includes(`${name}.map`))).toEqual([]);
  });

  it("contains no packaged Node and no development dependencies", () => {
    const all = readdirSync(join(installed.root, "node_modules"));
    expect(all.filter((name) => /^(?:node-(?:bin-|linux|darwin)|typescript|vitest|oxlint)/.test(name))).toEqual([]);
  });
});

describe("npx", () => {
  const project = join(installed.folder, "a project");

  it("runs the packed file in an empty folder, with nothing installed", () => {
    const said = runNpm(["exec", "--yes", `--package=${installed.tarball}`, "--", "meshroll", "--version"], empty);
    expect(said).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("runs it where it is a dependency, and every hint begins with npx", () => {
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), '{ "private": true }\n');
    cpSync(join(empty, "rollouts.yml"), join(project, "rollouts.yml"));
    runNpm(["install", "--prefer-offline", installed.tarball], project);
    const said = runNpm(["exec", "--offline", "--", "meshroll", "explain", "listings-web"], project);
    expect(said).toContain("  npx meshroll pin listings-web");
  });
});
