import type { Event } from "#libs/events";
import { cleanLine } from "#libs/input";
import type { LedgerEntry, LedgerState } from "#libs/plan";

import { joinPieces, livePaths, type Piece, readBack, readFile } from "../files/codec.ts";
import { listChanges } from "../files/list-changes.ts";
import { eventsFile, printEvents } from "../files/recorded-events.ts";
import { recallRuns } from "./recall-runs.ts";
import { inspectTree, planRepair } from "./repair.ts";
import type { Ledger, LedgerBranch, RecordOutcome, Repair, RepairOutcome } from "../port.ts";

/** The ledger's branch in the rollouts repository; no campaign may be named `ledger`. @internal */
export const ledgerBranch = "meshroll/ledger";

const author = { name: "meshroll planner", email: "meshroll@localhost" };

type Said = Omit<LedgerEntry, "next">;

/** A sentence for people, then who, why, about what, when, and the main head it was decided on (rules 8.1, 8.2). */
function writeMessage(entry: Said, main?: string): string {
  // A line end in a reason would turn the text after it into a trailer.
  const [sentence, actor, cause] = [
    cleanLine(entry.sentence, 2000),
    cleanLine(entry.actor, 200),
    cleanLine(entry.cause, 100),
  ];
  const about = (entry.about ?? []).map((scope) => `About: ${cleanLine(scope, 300)}\n`).join("");
  const time = entry.at === undefined ? "" : `At: ${entry.at}\n`;
  const head = main === undefined ? "" : `Main: ${main}\n`;
  return `${sentence}\n\nActor: ${actor}\nCause: ${cause}\n${about}${time}${head}`;
}

/** The ledger as a branch of the rollouts repository. */
export function openLedger(branch: LedgerBranch): Ledger {
  let newest: LedgerState | undefined;

  /** Parsed files of the tree read last, by path and content: a new commit changes only a few. */
  let pieces = new Map<string, Piece>();

  async function load(commit: string): Promise<LedgerState> {
    if (newest?.head === commit) return newest;
    const files = await branch.readTree(commit, livePaths, ({ path, id }) => pieces.has(`${path} ${id}`));
    const read = new Map<string, Piece>();
    // `heads` comes first, so that a branch of another version is reported by that file.
    const inOrder = files.toSorted((a, b) => Number(b.path === "heads") - Number(a.path === "heads"));
    const named = inOrder.map(({ path, id, text }) => {
      const key = `${path} ${id}`;
      const piece = pieces.get(key) ?? readFile(path, text ?? "");
      read.set(key, piece);
      return [path, piece] as const;
    });
    newest = joinPieces(commit, named);
    pieces = read;
    return newest;
  }

  async function record(
    entry: LedgerEntry,
    previous: LedgerState | undefined,
    events: readonly Event[] = [],
  ): Promise<RecordOutcome> {
    const files = listChanges(previous, entry.next);
    // Read back before the push: an unreadable ledger must not get there.
    const next = readBack(entry.next, files);
    const pushed = await branch.commitAndPush({
      branch: ledgerBranch,
      ...(previous === undefined ? {} : { onto: previous.head }),
      files: events.length === 0 ? files : { ...files, [eventsFile]: printEvents(events) },
      message: writeMessage(entry, entry.next.main),
      author,
    });
    if (pushed.kind === "rejected") return { kind: "overtaken", why: pushed.why };
    newest = { ...next, head: pushed.sha };
    return { kind: "recorded", state: newest };
  }

  /** A commit by a person on top of the present head. */
  async function repair(head: string, { files }: Repair, by: string, at: number): Promise<RepairOutcome> {
    const count = Object.keys(files).length;
    const sentence = `${count} ${count === 1 ? "file" : "files"} restored in a ledger that could not be read`;
    const message = writeMessage({ sentence, actor: by, cause: "repair", at: new Date(at).toISOString() });
    return branch.commitAndPush({ branch: ledgerBranch, onto: head, files, message, author });
  }

  return {
    load,
    record,
    recall: async (state, runs) => recallRuns(branch, state, runs),
    inspect: async (commit) => inspectTree(branch, commit),
    planRepair: async (head, good) => planRepair(branch, head, good),
    repair,
  };
}
