import type { FileChanges, RolloutsRepository } from "#libs/git";
import {
  campaignsFolder,
  type MainHistory,
  MainPast,
  type Point,
  readPoint,
  rolloutsPath,
  settingsPath,
} from "#libs/plan";

/** What is known of main's commits beside their history. */
export interface PastQuestion {
  readonly baseline: string;
  readonly head: string;
  /** The ledger has a run of this commit: its files parsed when it was judged. */
  readonly isRecorded: (commit: string) => boolean;
  /** All files of a commit parse now, campaigns too. */
  readonly compiles: (commit: string) => Promise<boolean>;
}

/** Main's first-parent history since the baseline: read once, then as main grows. */
export interface PastReader {
  read(question: PastQuestion): Promise<MainHistory>;
}

const paths = [rolloutsPath, settingsPath, campaignsFolder];

/** So many commits without a record are compiled before history is read on. */
const mostUnknown = 500;

/** As far as history was read. */
interface Place {
  readonly baseline: string;
  readonly past: MainPast;
  readonly line: Map<string, number>;
  readonly texts: Map<string, string | undefined>;
  /** The last commit that was taken in. */
  at: string;
  /** What the two files say there; undefined when they do not parse. */
  point: Point | undefined;
}

/** Texts change in few commits, and a text is parsed once. */
function takeTexts(place: Place, { sha, files }: FileChanges): void {
  const isNew = files.size > 0;
  for (const [path, text] of files) place.texts.set(path, text);
  if (isNew) place.point = readPoint(sha, place.texts.get(rolloutsPath), place.texts.get(settingsPath));
  else if (place.point !== undefined) place.point = { ...place.point, commit: sha };
}

export function createPastReader(repository: RolloutsRepository): PastReader {
  let place: Place | undefined;

  async function begin(baseline: string): Promise<Place> {
    const texts = new Map<string, string | undefined>();
    for (const path of [rolloutsPath, settingsPath]) texts.set(path, await repository.read(baseline, path));
    const point = readPoint(baseline, texts.get(rolloutsPath), texts.get(settingsPath));
    return { baseline, past: new MainPast(point), line: new Map([[baseline, 0]]), texts, at: baseline, point };
  }

  /** Reads on until the head, or the first commit of which it is not known whether all of its files parse: those are answered. */
  async function readOn(
    at: Place,
    { head, isRecorded }: PastQuestion,
    known: ReadonlyMap<string, boolean>,
  ): Promise<readonly string[]> {
    const unknown: string[] = [];
    await repository.readChanges(at.at, head, paths, (change) => {
      const isOpen = isRecorded(change.sha) ? false : known.get(change.sha) === undefined;
      if (unknown.length > 0) {
        if (isOpen && unknown.length < mostUnknown) unknown.push(change.sha);
        return;
      }
      const before = { texts: new Map(at.texts), point: at.point };
      takeTexts(at, change);
      const { point } = at;
      if (point !== undefined && at.past.differs(point)) {
        if (isOpen) {
          for (const [path, text] of before.texts) at.texts.set(path, text);
          at.point = before.point;
          unknown.push(change.sha);
          return;
        }
        if (known.get(change.sha) !== false) at.past.add(point);
      }
      at.at = change.sha;
    });
    return unknown;
  }

  async function extend(at: Place, question: PastQuestion): Promise<void> {
    const known = new Map<string, boolean>();
    const begun = at.at;
    for (;;) {
      const unknown = await readOn(at, question, known);
      if (unknown.length === 0) break;
      for (const sha of unknown) known.set(sha, await question.compiles(sha));
    }
    const last = [...at.line.keys()].at(-1) ?? begun;
    for (const { sha } of await repository.firstParents(last, question.head)) at.line.set(sha, at.line.size);
    at.at = question.head;
  }

  return {
    async read(question) {
      const { baseline, head } = question;
      if (!(await repository.contains(head, baseline))) return { line: new Map(), changes: new Map() };
      const isOn = place?.baseline === baseline && (await repository.contains(head, place.at));
      const at = isOn && place !== undefined ? place : await begin(baseline);
      // A fault on the way leaves nothing half read.
      place = undefined;
      if (at.at !== head || at.line.size === 1) await extend(at, question);
      place = at;
      return { line: at.line, changes: at.past.changes };
    },
  };
}
