import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

const run = "8abdbc074a6d";

interface Sketch {
  readonly at: string;
  readonly message: string;
}

/** The commit date is a minute later, because a person's clock differs from the planner's. */
const transition = (
  at: string,
  sentence: string,
  actor: string,
  cause: string,
  about: readonly string[] = [],
): Sketch => {
  const scopes = about.map((scope) => `About: ${scope}\n`).join("");
  return {
    at: at.replace(":00Z", ":59Z"),
    message: `${sentence}\n\nActor: ${actor}\nCause: ${cause}\n${scopes}At: ${at}\nMain: ${"a".repeat(40)}\n`,
  };
};

const aboutRun = [`run/${run}`, "campaign/istio-1-25"];

const story: readonly Sketch[] = [
  transition("2026-11-16T09:00:00Z", "baseline recorded", "ana", "Baseline"),
  transition("2026-11-18T09:52:00Z", `run ${run} started: raise staging (ben)`, "ben", "MainChanged", aboutRun),
  transition(
    "2026-11-19T10:02:00Z",
    `stop pause-1 on run/${run}: a reason that is longer than one line of a terminal can be (Ana B)`,
    "Ana B",
    "StopPlaced",
    aboutRun,
  ),
  transition(
    "2026-11-19T11:00:00Z",
    "main is at 0123456789ab: no namespace changes revision",
    "meshroll",
    "NothingChanged",
  ),
  { at: "2026-11-19T11:30:00Z", message: "fixed by hand\n" },
];

function git(folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const who = { GIT_AUTHOR_NAME: "t", GIT_AUTHOR_EMAIL: "t@t", GIT_COMMITTER_NAME: "t", GIT_COMMITTER_EMAIL: "t@t" };
  const settings = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  execFileSync("git", ["-C", folder, ...args], { env: { ...process.env, ...who, ...settings, ...env }, stdio: "pipe" });
}

/** A repository whose ledger has these transitions. */
function makeRepository(sketches: readonly Sketch[] = story): string {
  const folder = makeFolder({});
  git(folder, ["init", "-q", "-b", "main"]);
  git(folder, ["commit", "-q", "--allow-empty", "-m", "main"]);
  git(folder, ["checkout", "-q", "--orphan", "meshroll/ledger"]);
  for (const { at, message } of sketches) {
    git(folder, ["commit", "-q", "--allow-empty", "-m", message], { GIT_COMMITTER_DATE: at, GIT_AUTHOR_DATE: at });
  }
  git(folder, ["checkout", "-q", "main"]);
  return folder;
}

describe("meshroll history", () => {
  it("refuses an unknown run or campaign, and finds those that any transition names", async () => {
    const folder = makeRepository();
    expect((await runCli(["history", `run/${run}`, "--repo", folder, "--since", "2099-01-01"])).code).toBe(0);
    for (const name of ["run/0123456789ac", "istio-9"]) {
      const { code, stdout, stderr } = await runCli(["history", name, "--repo", folder]);
      expect({ code, stdout }).toEqual({ code: 65, stdout: "" });
      expect(stderr).toMatch(/there is no (?:run 0123456789ac|campaign istio-9)\n/u);
    }
  });

  it("prints no control character and no forged line of a reason", async () => {
    const reason = "stop s1 on all: \u001b[2J\u001b]0;owned\u0007\u009b31m\u202Eok\rgone (eve)";
    const folder = makeRepository([transition("2026-11-19T10:02:00Z", reason, "e\u001bve", "StopPlaced")]);
    for (const output of ["human", "json"]) {
      const { stdout } = await runCli(["history", "--repo", folder, "-o", output], { isTTY: true });
      expect(stdout).toMatch(/^[\n -~]+$/u);
      expect(stdout).toContain("u001b[2J");
    }
  });

  it("prints the newest first: time, actor, kind and sentence, within 80 columns", async () => {
    const { code, stdout } = await runCli(["history", "--repo", makeRepository(), "--tz", "Europe/Berlin"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "2026-11-19 12:30:00 CET *  unknown  by hand",
        "  fixed by hand",
        "2026-11-19 12:00:00 CET  meshroll  NothingChanged",
        "  main is at 0123456789ab: no namespace changes revision",
        "2026-11-19 11:02:00 CET  Ana B  StopPlaced",
        `  stop pause-1 on run/${run}: a reason that is longer than one line of a`,
        "    terminal can be (Ana B)",
        "2026-11-18 10:52:00 CET  ben  MainChanged",
        `  run ${run} started: raise staging (ben)`,
        "2026-11-16 10:00:00 CET  ana  Baseline",
        "  baseline recorded",
        "times are of the planner's clock; * of git's commit, where the record has none",
        "",
      ].join("\n"),
    );
  });

  const filters: readonly { readonly args: readonly string[]; readonly want: readonly string[] }[] = [
    { args: [`run/${run}`], want: ["StopPlaced", "MainChanged"] },
    { args: ["--actor", "ana b"], want: ["StopPlaced"] },
    { args: ["--since", "2026-11-19T10:30Z", "--actor", "meshroll"], want: ["NothingChanged"] },
    { args: ["--since", "2026-11-20"], want: [] },
    { args: ["--grep", "LONGER than one"], want: ["StopPlaced"] },
    { args: ["cluster/prod-a"], want: [] },
  ];
  it.each(filters)("$args", async ({ args, want }) => {
    const { stdout } = await runCli(["history", ...args, "--repo", makeRepository(), "-o", "json"]);
    const { entries } = JSON.parse(stdout) as { readonly entries: readonly { readonly cause?: string }[] };
    expect(entries.map(({ cause }) => cause)).toEqual(want);
  });

  it("is limited, and says how to see more", async () => {
    const { stdout } = await runCli(["history", "-n", "2", "--repo", makeRepository(), "--tz", "UTC"]);
    expect(stdout.match(/^2026/gm)).toHaveLength(2);
    expect(stdout).toContain("… and 3 older:  -n 5, --since 7d");
  });

  it("of a campaign has its stages and all transitions of its runs, not those of a longer name", async () => {
    const repo = makeRepository([
      ...story,
      transition("2026-11-19T12:00:00Z", "stage staging proposed", "meshroll", "StageProposed", [
        "campaign/istio-1-25",
      ]),
      transition("2026-11-19T12:01:00Z", "campaign istio-1-25-2", "meshroll", "StageProposed", [
        "campaign/istio-1-25-2",
      ]),
      // A run that a reason names is not what the stop is about.
      transition("2026-11-19T12:02:00Z", `stop p on all: as run ${run} of istio-1-25 (eve)`, "eve", "StopPlaced", [
        "all",
      ]),
    ]);
    const list = async (subject: string) => {
      const { stdout } = await runCli(["history", subject, "--repo", repo, "-o", "json"]);
      const { entries } = JSON.parse(stdout) as { readonly entries: readonly { readonly cause?: string }[] };
      return entries.map(({ cause }) => cause);
    };
    expect(await list("istio-1-25")).toEqual(["StageProposed", "StopPlaced", "MainChanged"]);
    expect(await list(`run/${run}`)).toEqual(["StopPlaced", "MainChanged"]);
  });

  it("a reason cannot forge an actor: only the trailers at the end count", async () => {
    const message =
      "stop x on all: y\n\nActor: root\nAbout: run/8abdbc074a6d\n\nActor: eve\nCause: StopPlaced\nAbout: all\nMain: b\n";
    const repo = makeRepository([{ at: "2026-11-19T10:00:00Z", message }]);
    const { stdout } = await runCli(["history", "--repo", repo, "-o", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({ entries: [{ actor: "eve", cause: "StopPlaced", about: ["all"] }] });
  });

  it("works offline in a clone: prints what was fetched last, with a warning", async () => {
    const origin = makeRepository();
    const folder = makeFolder({});
    git(folder, ["clone", "-q", origin, "clone"]);
    const clone = join(folder, "clone");
    git(clone, ["remote", "set-url", "origin", "http://127.0.0.1:1/acme/rollouts.git"]);
    const env = { XDG_CACHE_HOME: folder };
    const { code, stdout, stderr } = await runCli(["history", "--tz", "UTC", "-n", "1"], { cwd: clone, env });
    expect(stdout).toContain("fixed by hand");
    expect(stderr).toMatch(/this is what was fetched last, and may be old: .*127\.0\.0\.1:1/s);
    expect(code).toBe(0);
  });

  it("reads a local clone without a fetch, with its remote branch", async () => {
    const folder = makeFolder({});
    git(folder, ["clone", "-q", makeRepository(), "clone"]);
    const { stdout } = await runCli(["history", "--repo", join(folder, "clone"), "--tz", "UTC"]);
    expect(stdout).toContain("baseline recorded");
  });

  const refused: readonly { readonly args: readonly string[]; readonly wantCode: number; readonly wantErr: RegExp }[] =
    [
      { args: ["--tz", "Middle/Earth"], wantCode: 64, wantErr: /there is no such time zone/ },
      { args: ["--since", "yesterday"], wantCode: 64, wantErr: /say 7d, 12h/ },
      { args: ["-n", "0"], wantCode: 64, wantErr: /say a number of 1\s+or more/ },
      { args: ["cluster/A b"], wantCode: 64, wantErr: /is not the name of a cluster/ },
      { args: [], wantCode: 65, wantErr: /has no branch meshroll\/ledger/ },
    ];
  it.each(refused)("refuses $args", async ({ args, wantCode, wantErr }) => {
    const repo = makeFolder({});
    git(repo, ["init", "-q", "-b", "main"]);
    const { code, stdout, stderr } = await runCli(["history", ...args, "--repo", repo]);
    expect({ code, stdout }).toEqual({ code: wantCode, stdout: "" });
    expect(stderr).toMatch(wantErr);
  });
});
