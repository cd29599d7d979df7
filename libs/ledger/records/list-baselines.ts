import { baseline, parseFile } from "./records.ts";

/** A commit of the ledger branch that wrote the baseline, and what it names. */
export interface RecordedBaseline {
  /** Of the ledger branch. */
  readonly by: string;
  /** Of main. */
  readonly commit: string;
}

/** What the listing needs of the repository. */
interface History {
  readChanges(
    from: string | undefined,
    to: string,
    paths: readonly string[],
    each: (change: { readonly sha: string; readonly files: ReadonlyMap<string, string | undefined> }) => void,
  ): Promise<void>;
}

const path = "baseline";

function readCommit(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return parseFile(baseline, path, text).commit;
  } catch {
    // No process used such a ledger.
    return undefined;
  }
}

/** Every baseline that a ledger commit and those before it had, oldest first; those that cannot be read are left out. */
export async function listBaselines(history: History, head: string): Promise<readonly RecordedBaseline[]> {
  const found: RecordedBaseline[] = [];
  await history.readChanges(undefined, head, [path], ({ sha, files }) => {
    const commit = readCommit(files.get(path));
    if (commit !== undefined) found.push({ by: sha, commit });
  });
  return found;
}
