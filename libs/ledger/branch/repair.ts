import { joinPieces, livePaths, type Piece, readFile } from "../files/codec.ts";
import type { LedgerBranch, Repair } from "../port.ts";
import { LedgerUnreadable, refuse } from "../records/records.ts";

/** The live files of one commit, and which of them cannot be read. */
interface Tree {
  readonly texts: ReadonlyMap<string, string>;
  readonly faults: readonly LedgerUnreadable[];
}

type Texts = Readonly<Record<string, string>>;

function attempt<T>(work: () => T): T | LedgerUnreadable {
  try {
    return work();
  } catch (error) {
    if (error instanceof LedgerUnreadable) return error;
    throw error;
  }
}

/** Why these files make no ledger: each unreadable file, or, where all can be read, the first contradiction between them. */
function findFaults(texts: ReadonlyMap<string, string>): readonly LedgerUnreadable[] {
  const pieces: (readonly [string, Piece])[] = [];
  const faults: LedgerUnreadable[] = [];
  for (const [path, text] of texts) {
    const read = attempt(() => readFile(path, text));
    if (read instanceof LedgerUnreadable) faults.push(read);
    else pieces.push([path, read]);
  }
  if (faults.length > 0) return faults;
  const joined = attempt(() => joinPieces("", pieces));
  return joined instanceof LedgerUnreadable ? [joined] : [];
}

async function readTree(branch: LedgerBranch, commit: string): Promise<Tree> {
  const files = await branch.readTree(commit, livePaths);
  const texts = new Map(files.map(({ path, text = "" }) => [path, text]));
  return { texts, faults: findFaults(texts) };
}

/** See `Ledger.inspect`. */
export async function inspectTree(branch: LedgerBranch, commit: string): Promise<readonly LedgerUnreadable[]> {
  return (await readTree(branch, commit)).faults;
}

function readSequence(text: string | undefined): number {
  const read = text === undefined ? {} : attempt(() => readFile("heads", text));
  return read instanceof LedgerUnreadable ? 0 : (read.facts?.sequence ?? 0);
}

/** Files to write over `from` so that it becomes exactly `to`; null removes. */
function compare(from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>): Repair["files"] {
  const paths = [...new Set([...from.keys(), ...to.keys()])].filter((path) => from.get(path) !== to.get(path));
  return Object.fromEntries(paths.toSorted().map((path) => [path, to.get(path) ?? null]));
}

/** Sets only the unreadable files back, so that a pause recorded meanwhile stays. */
function replaceFaults(head: Tree, good: Tree): ReadonlyMap<string, string> {
  const texts = new Map(head.texts);
  for (const { file } of head.faults) {
    const before = good.texts.get(file);
    if (before === undefined) texts.delete(file);
    else texts.set(file, before);
  }
  return texts;
}

/** Raises the sequence: no process accepts a ledger with fewer transitions than it has seen. */
function setSequence(texts: ReadonlyMap<string, string>, sequence: number): ReadonlyMap<string, string> {
  const heads = JSON.parse(texts.get("heads") ?? "{}") as Texts;
  return new Map([...texts, ["heads", `${JSON.stringify({ ...heads, sequence }, undefined, 2)}\n`]]);
}

/** See `Ledger.planRepair`. */
export async function planRepair(branch: LedgerBranch, head: string, good: string): Promise<Repair> {
  const [broken, before] = [await readTree(branch, head), await readTree(branch, good)];
  const patched = replaceFaults(broken, before);
  const isEnough = findFaults(patched).length === 0;
  const texts = isEnough ? patched : before.texts;
  const sequence = 1 + Math.max(...[broken.texts, before.texts].map((each) => readSequence(each.get("heads"))));
  const repaired = setSequence(texts, sequence);
  const [fault] = findFaults(repaired);
  if (fault !== undefined) throw refuse(fault.file, `it cannot be read in commit ${good.slice(0, 12)} either`);
  return { files: compare(broken.texts, repaired), isWhole: !isEnough };
}
