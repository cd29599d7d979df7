import type { FileChanges, RolloutsRepository } from "#libs/git";
import { type MainHistory, MainPast, type Point, readPoint, rolloutsPath, settingsPath } from "#libs/plan";

import { parsePast, type PastNote, printPast } from "./past-note.ts";

/** From where to where. */
export interface PastQuestion {
  readonly baseline: string;
  readonly head: string;
}

/** Main's first-parent history since the baseline: read once, then as main grows. */
export interface PastReader {
  read(question: PastQuestion): Promise<MainHistory>;
}

/** Only these two tell a run from no run: a campaign that cannot be read holds itself, and no commit. */
const paths = [rolloutsPath, settingsPath];

/** Commits that are read again by the next process rather than noted at each step of main. */
const mostUnnoted = 50;

const noteName = "past";

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
  /** The two files at the newest commit that is a change, or the base. */
  last: PastNote["last"];
  /** How long the line was when it was noted last. */
  noted: number;
}

/** Texts change in few commits, and a text is parsed once. */
function takeTexts(place: Place, { sha, files }: FileChanges): void {
  const isNew = files.size > 0;
  for (const [path, text] of files) place.texts.set(path, text);
  if (isNew) place.point = readPoint(sha, place.texts.get(rolloutsPath), place.texts.get(settingsPath));
  else if (place.point !== undefined) place.point = { ...place.point, commit: sha };
}

function pickTexts({ texts }: Pick<Place, "texts">): PastNote["texts"] {
  const [rollouts, settings] = [texts.get(rolloutsPath), texts.get(settingsPath)];
  return { ...(rollouts === undefined ? {} : { rollouts }), ...(settings === undefined ? {} : { settings }) };
}

/** Takes a commit in whose two files parse. */
function takeIn(place: Place, point: Point): void {
  const isBase = place.last === undefined;
  if (!isBase && !place.past.differs(point)) return;
  place.past.add(point);
  place.last = { commit: point.commit, ...pickTexts(place) };
}

function takeChange(place: Place, change: FileChanges): void {
  takeTexts(place, change);
  if (place.point !== undefined) takeIn(place, place.point);
}

function recallPlace({ baseline, at, texts, last, record }: PastNote): Place {
  const point = readPoint(at, texts.rollouts, texts.settings);
  const newest = last === undefined ? undefined : readPoint(last.commit, last.rollouts, last.settings);
  return {
    baseline,
    past: MainPast.recall(record, newest),
    line: new Map([[baseline, 0]]),
    texts: new Map([
      [rolloutsPath, texts.rollouts],
      [settingsPath, texts.settings],
    ]),
    at,
    point,
    last,
    noted: Number.POSITIVE_INFINITY,
  };
}

export function createPastReader(repository: RolloutsRepository): PastReader {
  let place: Place | undefined;

  async function beginAgain(baseline: string): Promise<Place> {
    const texts = new Map<string, string | undefined>();
    for (const path of [rolloutsPath, settingsPath]) texts.set(path, await repository.read(baseline, path));
    const point = readPoint(baseline, texts.get(rolloutsPath), texts.get(settingsPath));
    const past = new MainPast(point);
    const last = point === undefined ? undefined : { commit: baseline, ...pickTexts({ texts }) };
    return { baseline, past, line: new Map([[baseline, 0]]), texts, at: baseline, point, last, noted: 0 };
  }

  /** Where the process before came to, if main still has it; else from the baseline. */
  async function begin({ baseline, head }: PastQuestion): Promise<Place> {
    const note = parsePast(await repository.readNote(noteName));
    const isOn = note?.baseline === baseline && (await repository.contains(head, note.at));
    return isOn ? recallPlace(note) : beginAgain(baseline);
  }

  async function extend(at: Place, { head }: PastQuestion): Promise<void> {
    const begun = at.at;
    await repository.readChanges(at.at, head, paths, (change) => {
      takeChange(at, change);
    });
    const last = [...at.line.keys()].at(-1) ?? begun;
    for (const sha of await repository.listLine(last, head)) at.line.set(sha, at.line.size);
    at.at = head;
  }

  /** What a disk does not take is proven again by the next process: it costs seconds, and no answer. */
  async function note(at: Place): Promise<void> {
    if (at.noted === Number.POSITIVE_INFINITY) at.noted = at.line.size;
    if (at.noted > 0 && at.line.size - at.noted < mostUnnoted) return;
    const { baseline, last } = at;
    const record = at.past.record();
    const kept = { baseline, at: at.at, texts: pickTexts(at), record };
    await repository.keepNote(noteName, printPast(last === undefined ? kept : { ...kept, last }));
    at.noted = at.line.size;
  }

  return {
    async read(question) {
      const { baseline, head } = question;
      if (!(await repository.contains(head, baseline))) return { line: new Map(), changes: new Map() };
      const isOn = place?.baseline === baseline && (await repository.contains(head, place.at));
      const at = isOn && place !== undefined ? place : await begin(question);
      // A fault on the way leaves nothing half read.
      place = undefined;
      if (at.at !== head || at.line.size === 1) await extend(at, question);
      await note(at);
      place = at;
      return { line: at.line, changes: at.past.changes };
    },
  };
}
