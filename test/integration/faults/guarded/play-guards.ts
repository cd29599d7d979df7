import type { Pass } from "../fault.ts";
import { playJobs } from "../play-all.ts";
import type { SeenGuard } from "./guards-seen.ts";

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What is wrong with a pass without the guard; undefined where the fault noticed it, in its own words. */
function judge({ complaint }: SeenGuard, { problem }: Pass): string | undefined {
  if (problem === undefined) return "nobody noticed: the fault passed without the guard";
  return complaint.test(problem) ? undefined : `it failed, but not with ${String(complaint)}: ${problem}`;
}

/** Plays for each guard its fault without it, and prints a line for each; true when every guard was missed. */
export async function playGuards(
  rows: readonly SeenGuard[],
  options: { readonly lanes: number; readonly seed: number },
  entry: string,
): Promise<boolean> {
  const { lanes, seed } = options;
  const began = performance.now();
  const jobs = rows.map(({ fault, guard }) => ({ name: fault, seed, unguarded: guard }));
  say(`${rows.length} guards, each switched off once, seed ${seed}, ${lanes} at once`);
  let [seen, played] = [0, 0];
  await playJobs(jobs, { lanes, entry }, (pass) => {
    played += 1;
    const row = rows.find(({ guard }) => guard === pass.unguarded);
    if (row === undefined) throw new Error(`bug: a pass of ${pass.fault} without a known guard`);
    const wrong = judge(row, pass);
    if (wrong === undefined) seen += 1;
    const verdict = wrong === undefined ? "✔ missed by" : "✖";
    say(`${row.guard.padEnd(18)} ${verdict} ${row.fault}${wrong === undefined ? "" : `: ${wrong}`}`);
  });
  say(`took ${Math.round((performance.now() - began) / 1000)} s`);
  say(`${seen} passed, ${rows.length - seen} failed`);
  return seen === rows.length && played === rows.length;
}
