import type { AuditedFormats } from "../evidence.ts";
import { listMigrated, type RecordedRepository } from "./recorded-repository.ts";

const branch = "meshroll/ledger";

/** The first line of a plan is its record, behind a mark; each line of a `.jsonl` is one; any other file is one. */
function listTexts(path: string, text: string): readonly string[] {
  if (path.endsWith(".tsv")) return [text.slice("# ".length, text.indexOf("\n"))];
  return path.endsWith(".jsonl") ? text.split("\n").filter((line) => line !== "") : [text];
}

/** The newest version that a record of the file names; 0 where none does, or where it is no record of ours. */
function readVersion(path: string, text: string): number {
  const versions = listTexts(path, text).map((each) => {
    try {
      const { version } = JSON.parse(each) as { readonly version?: unknown };
      return typeof version === "number" ? version : 0;
    } catch {
      // No JSON: a rule of its own covers what cannot be read.
      return 0;
    }
  });
  return Math.max(0, ...versions);
}

/** Which version of the formats the ledger's commits were of, by what `heads` named then and by what else was written. */
export function readFormats(repository: RecordedRepository): AuditedFormats {
  const raises: { version: number; from: number; until: number }[] = [];
  const ahead: { path: string; version: number; of: number }[] = [];
  let newest = 0;
  for (const { commit, push } of listMigrated(repository, branch)) {
    const written = [...commit.changes].flatMap(([path, text]) =>
      text === undefined ? [] : [{ path, version: readVersion(path, text) }],
    );
    const named = written.find(({ path }) => path === "heads")?.version ?? newest;
    if (newest > 0 && named > newest) raises.push({ version: named, from: push.from, until: push.until });
    newest = named;
    for (const { path, version } of written) if (version > newest) ahead.push({ path, version, of: newest });
  }
  return { raises, ahead };
}
