import { exitCodes } from "../../terminal/exit-codes.ts";
import { readPublished } from "../../read/read-published.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { Sentence } from "../../terminal/sentence.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { type BusOptions, findBus, withBus } from "../../read/with-bus.ts";
import { listWaiting, type WaitingPull } from "./list-waiting.ts";
import { findPullRequest } from "./pull-request.ts";

function refuseNone(waiting: readonly WaitingPull[] | undefined): Refusal {
  const forms = [
    "meshroll plan CAMPAIGN [--to STAGE]",
    "meshroll plan --from REF [--to REF]",
    "meshroll plan pull/NUMBER",
  ];
  const listed = waiting?.map(({ number, stage = "" }): Sentence => [
    { command: `meshroll plan pull/${number}` },
    `  ${stage}`,
  ]);
  const why = waiting?.length === 0 ? ": no pull request of a campaign waits" : "";
  const several = waiting !== undefined && waiting.length > 1;
  return several
    ? new Refusal(exitCodes.usage, `say what to plan: ${waiting.length} pull requests wait`, ...(listed ?? []))
    : new Refusal(exitCodes.usage, `say what to plan${why}`, ...forms.map((command) => [{ command }]));
}

async function readWaiting(options: BusOptions, terminal: Terminal): Promise<readonly WaitingPull[] | undefined> {
  const place = findBus(options, terminal);
  const status = place === undefined ? undefined : await withBus(place, readPublished);
  return status === undefined ? undefined : listWaiting(status);
}

/** The pull request of that number, or the one that waits; with several, one must be named. */
export async function findWaitingPull(
  number: number | undefined,
  options: BusOptions,
  terminal: Terminal,
): Promise<WaitingPull> {
  const waiting = await readWaiting(options, terminal);
  if (number !== undefined) return waiting?.find((each) => each.number === number) ?? findPullRequest(number, terminal);
  const [only, ...others] = waiting ?? [];
  if (only === undefined || others.length > 0) throw refuseNone(waiting);
  return only;
}
