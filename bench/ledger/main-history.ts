import { execFileSync } from "node:child_process";

import { testInstallation } from "#libs/input";
import { compileSpec, listAhead, makeBaseline, type RunRecord, type Spec } from "#libs/plan";

/** What one commit of main changed. */
export type MainStep = Pick<RunRecord, "order" | "commit" | "before" | "buckets" | "changes">;

/** Main of a rollouts repository, oldest commit first. */
export interface MainHistory {
  readonly baseline: string;
  readonly head: string;
  readonly headText: string;
  readonly steps: readonly MainStep[];
}

const BUCKETS = 60;

/** Step n changes the share of one of 60 buckets, to a value that it never had. */
function printRollouts(step: number): string {
  const buckets = Array.from({ length: BUCKETS }, (_, bucket) => {
    const times = Math.floor((step - bucket + BUCKETS - 1) / BUCKETS);
    const share = times <= 0 ? 0 : ((times * 11) % 97) + 1;
    return `"team-${bucket}-.*":\n  1-24-5: ${100 - share}\n  1-25-2: ${share}\n`;
  });
  return `production:\n  1-24-5: 100\n${buckets.join("")}`;
}

function printCommit(step: number): string {
  const [text, message] = [printRollouts(step), `change ${step}`];
  const parent = step === 0 ? "" : `from :${step}\n`;
  return (
    `commit refs/heads/main\nmark :${step + 1}\ncommitter bench <bench@localhost> ${1_700_000_000 + step} +0000\n` +
    `data ${message.length}\n${message}\n${parent}M 100644 inline rollouts.yml\ndata ${text.length}\n${text}\n`
  );
}

function compile(commit: string, step: number): Spec {
  const compiled = compileSpec(commit, printRollouts(step), undefined);
  if (!compiled.ok) throw new Error("the bench's own file does not parse");
  return compiled.spec;
}

function listSteps([baseline = "", ...later]: readonly string[]): readonly MainStep[] {
  const points = later.map((sha, index) => {
    return { commit: { sha, author: "bench", subject: "", at: 0 }, spec: compile(sha, index + 1) };
  });
  const ledger = makeBaseline(baseline, 0, "bench", testInstallation).next;
  return listAhead(ledger, compile(baseline, 0), points).map(({ order, changes }) => {
    const [before = baseline, commit = ""] = [later[order - 2], later[order - 1]];
    return { order, commit, before, buckets: changes.map(({ pattern }) => pattern), changes };
  });
}

/** Creates a bare repository whose main has one commit, and one more for each change. */
export function makeMain(folder: string, changes: number): MainHistory {
  execFileSync("git", ["init", "--quiet", "--bare", "-b", "main", folder]);
  const stream = Array.from({ length: changes + 1 }, (_, step) => printCommit(step)).join("");
  execFileSync("git", ["-C", folder, "fast-import", "--quiet"], { input: stream });
  const listed = execFileSync("git", ["-C", folder, "rev-list", "--reverse", "main"]).toString().trim().split("\n");
  const steps = listSteps(listed);
  if (steps.length !== changes) throw new Error(`main has ${steps.length} changes, not ${changes}`);
  return { baseline: listed[0] ?? "", head: listed.at(-1) ?? "", headText: printRollouts(changes), steps };
}
