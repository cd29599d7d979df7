import type { Pass } from "../passes/fault.ts";
import { playJobs } from "../play-all.ts";
import type { SeenGuard } from "./guards-seen.ts";

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What is wrong with a pass without the guard; undefined where the fault noticed it, in its own words. */
function judge({ complaint }: SeenGuard, { problem }: Pass): string | undefined {
  if (problem === undefined) return "no rule noticed: the fault passed without the guard";
  return complaint.test(problem) ? undefined : `it failed, but not with ${String(complaint)}: ${problem}`;
}

/** A guard works in one moment of a batch, and a fault strikes in one that is drawn: so many are tried before it counts as unseen. */
const moments = 3;

type Options = { readonly lanes: number; readonly seed: number };

/** Plays each of these guards' faults without it, at one moment, and prints a line for each; returns those that were not missed. */
async function playRound(rows: readonly SeenGuard[], { lanes, seed }: Options, entry: string): Promise<SeenGuard[]> {
  const jobs = rows.map(({ fault, guard }) => ({ name: fault, seed, unguarded: guard }));
  const unseen = new Set(rows);
  await playJobs(jobs, { lanes, entry }, (pass) => {
    const row = rows.find(({ guard }) => guard === pass.unguarded);
    if (row === undefined) throw new Error(`bug: a pass of ${pass.fault} without a known guard`);
    const wrong = judge(row, pass);
    if (wrong === undefined) unseen.delete(row);
    const verdict = wrong === undefined ? "✔ missed by" : "✖";
    say(`${row.guard.padEnd(18)} ${verdict} ${row.fault}${wrong === undefined ? "" : `: ${wrong}`}`);
    return undefined;
  });
  return [...unseen];
}

/** Plays them at one moment after the other, until every guard was missed; true when it was. */
export async function playGuards(rows: readonly SeenGuard[], options: Options, entry: string): Promise<boolean> {
  const { lanes, seed } = options;
  const began = performance.now();
  say(`${rows.length} guards, each switched off once, seed ${seed}, ${lanes} at once`);
  let unseen = [...rows];
  for (let moment = 0; moment < moments && unseen.length > 0; moment += 1) {
    if (moment > 0)
      say(`not missed yet: ${unseen.map(({ guard }) => guard).join(", ")}; another moment, seed ${seed + moment}`);
    unseen = await playRound(unseen, { lanes, seed: seed + moment }, entry);
  }
  say(`took ${Math.round((performance.now() - began) / 1000)} s`);
  say(`${rows.length - unseen.length} passed, ${unseen.length} failed`);
  return unseen.length === 0;
}
