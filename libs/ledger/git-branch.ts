import { cleanLine, lookUp } from "#libs/input";
import type { LedgerEntry, LedgerState } from "#libs/plan";

import { parseLedger, printLedger, readBack } from "./codec.ts";
import type { Ledger, LedgerBranch, RecordOutcome } from "./port.ts";

/** The branch of the rollouts repository that remembers decisions; no campaign may be named `ledger`. */
const ledgerBranch = "meshroll/ledger";

/** What a state is read from; anything else on the branch is not ours to read. */
const livePaths = ["heads", "baseline", "runs", "stops", "asks", "plans"] as const;

const author = { name: "meshroll planner", email: "meshroll@localhost" };

/** First line for people, then who, why, when and the main head it was decided on (rules 8.1, 8.2). */
function writeMessage(entry: LedgerEntry): string {
  // A line end in a reason would make a trailer of what follows it.
  const [sentence, actor, cause] = [
    cleanLine(entry.sentence, 2000),
    cleanLine(entry.actor, 200),
    cleanLine(entry.cause, 100),
  ];
  const time = entry.at === undefined ? "" : `At: ${entry.at}\n`;
  return `${sentence}\n\nActor: ${actor}\nCause: ${cause}\n${time}Main: ${entry.next.main}\n`;
}

/** Only what differs is written, so that a transition's commit shows that transition and nothing else. */
function listChanges(before: LedgerState | undefined, after: LedgerState): Record<string, string | null> {
  const old = before === undefined ? {} : printLedger(before);
  const now = printLedger(after);
  const changes = new Map<string, string | null>();
  for (const [path, content] of Object.entries(now)) if (lookUp(old, path) !== content) changes.set(path, content);
  for (const path of Object.keys(old)) if (lookUp(now, path) === undefined) changes.set(path, null);
  return Object.fromEntries(changes);
}

/** The ledger on a branch of the rollouts repository. */
export function openLedger(branch: LedgerBranch): Ledger {
  let newest: LedgerState | undefined;

  async function load(commit: string): Promise<LedgerState> {
    if (newest?.head === commit) return newest;
    const files = new Map<string, string>();
    for (const { path, text } of await branch.readTree(commit, livePaths))
      if (text !== undefined) files.set(path, text);
    newest = parseLedger(commit, Object.fromEntries(files));
    return newest;
  }

  async function record(entry: LedgerEntry, previous: LedgerState | undefined): Promise<RecordOutcome> {
    const files = listChanges(previous, entry.next);
    // Read back before the push: what nobody could read must not get there.
    const next = readBack(entry.next, files);
    const pushed = await branch.commitAndPush({
      branch: ledgerBranch,
      ...(previous === undefined ? {} : { onto: previous.head }),
      files,
      message: writeMessage(entry),
      author,
    });
    if (pushed.kind === "rejected") return { kind: "overtaken", why: pushed.why };
    newest = { ...next, head: pushed.sha };
    return { kind: "recorded", state: newest };
  }

  return { load, record };
}
