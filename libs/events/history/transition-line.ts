/** One transition, from the ledger's commit. */
export interface LedgerLine {
  readonly commit: string;
  /** ISO, UTC. */
  readonly at: string;
  /** `planner`: the clock of runs, stops and waits; `git`: that of the machine that made the commit. */
  readonly clock: "planner" | "git";
  readonly sentence: string;
  /** The scopes it concerns: runs, their campaigns, what is stopped. */
  readonly about: readonly string[];
  /** Absent in a commit that was made by hand. */
  readonly actor?: string;
  readonly cause?: string;
}

/** A commit of the ledger's branch. */
interface LedgerCommit {
  readonly sha: string;
  /** The committer's time, epoch ms. */
  readonly at: number;
  readonly message: string;
}

/** The times that have a year of four digits, ms: no reader has to understand others. */
const newest = Date.UTC(9999, 11, 31);

/** The `Name: value` lines of the last paragraph, so that a reason in the sentence cannot imitate one. */
function readTrailers(lines: readonly string[], name: string): readonly string[] {
  const last = lines.slice(lines.lastIndexOf("") + 1);
  return last.flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []));
}

/** What a commit of the ledger says; one that was made by hand is a sentence without an actor. */
export function readTransition({ sha, at, message }: LedgerCommit): LedgerLine {
  const [sentence = "", ...body] = message.trimEnd().split("\n");
  const [actor, cause, said = ""] = ["Actor", "Cause", "At"].map((name) => readTrailers(body, name).at(-1));
  const recorded = Date.parse(said);
  const isRecorded = recorded >= 0 && recorded <= newest;
  const time = isRecorded ? recorded : Math.min(newest, Math.max(0, at));
  return {
    commit: sha,
    at: new Date(time).toISOString(),
    clock: isRecorded ? "planner" : "git",
    sentence,
    about: readTrailers(body, "About"),
    ...(actor === undefined ? {} : { actor }),
    ...(cause === undefined ? {} : { cause }),
  };
}
