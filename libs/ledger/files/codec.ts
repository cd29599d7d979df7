import { cleanLine, firstFormat, isRecordId, lookUp } from "#libs/input";
import type { KeptFields, LedgerState } from "#libs/plan";
import type { z } from "zod";

import { nameLine, parsePastRuns, parsePastStops } from "./archive-files.ts";
import {
  baseline,
  carriedOut,
  heads,
  parseFile,
  type ParsedFile,
  plan,
  refuse,
  run,
  stop,
} from "../records/records.ts";
import { writeRecord, type Written } from "../records/write-record.ts";

/** What one file of the tree adds to a state. */
export type Piece = {
  readonly [K in "runs" | "stops" | "requests" | "plans" | "kept"]?: LedgerState[K];
} & { readonly facts?: Partial<Pick<LedgerState, "baseline" | "main" | "judged" | "sequence" | "format">> };

type Plan = LedgerState["plans"][string];

function index<T extends { readonly id: string }>(records: readonly T[]): Readonly<Record<string, T>> {
  return Object.fromEntries(records.map((record) => [record.id, record]));
}

export function namePlan({ head }: Pick<Plan, "head">): string {
  return `plans/${head}.tsv`;
}

/** One line of facts, then the list as people read it: a diff of two heads shows who came and who went. */
export function printPlan(state: Written, { list, ...facts }: Plan): string {
  return `# ${JSON.stringify(writeRecord(state, namePlan(facts), facts))}\n${list}`;
}

/** A file, and the oldest version that is read in it. */
interface Source {
  readonly path: string;
  readonly text: string;
  readonly oldest: number | undefined;
}

/** Under which name a record's fields of a newer build are kept, where it has any. */
function keep(file: string, kept: KeptFields | undefined): Pick<Piece, "kept"> {
  return kept === undefined ? {} : { kept: { [file]: kept } };
}

function readPlan({ path, text, oldest }: Source): Piece {
  const end = text.indexOf("\n");
  const { value, kept } = parseFile(plan, path, text.slice("# ".length, end), oldest);
  if (path !== namePlan(value)) throw refuse(path, "it names another head");
  return { plans: { [value.head]: { ...value, list: text.slice(end + 1) } }, ...keep(path, kept) };
}

/** A record stands in the file of its own name: else two files could claim to be one record. */
function readNamed<T extends { readonly id: string }>(schema: z.ZodType<T>, { path, text, oldest }: Source) {
  const { value, kept } = parseFile(schema, path, text, oldest);
  if (!path.endsWith(`/${value.id}.json`)) throw refuse(path, "it names another id");
  return { records: index([value]), kept: keep(path, kept) };
}

function readRequest({ path, text, oldest }: Source): Piece {
  const id = path.slice("requests/".length, -".json".length);
  if (!isRecordId(id) || path !== `requests/${id}.json`) throw refuse(path, "no verb has such an id");
  const { value, kept } = parseFile(carriedOut, path, text, oldest);
  return { requests: { [id]: value }, ...keep(path, kept) };
}

function readHeads({ path, text, oldest }: Source): Piece {
  const { value, kept } = parseFile(heads, path, text, oldest);
  const { version: format, ...facts } = value;
  return { facts: { format, ...facts }, ...keep(path, kept) };
}

function readBaseline({ path, text, oldest }: Source): Piece {
  const { value, kept } = parseFile(baseline, path, text, oldest);
  return { facts: { baseline: value }, ...keep(path, kept) };
}

function readRun(source: Source): Piece {
  const { records, kept } = readNamed(run, source);
  return { runs: records, ...kept };
}

function readStop(source: Source): Piece {
  const { records, kept } = readNamed(stop, source);
  return { stops: records, ...kept };
}

/** The lines of a file, each with what a newer build wrote into it. */
function readLines<T extends { readonly id: string }>(folder: "runs" | "stops", lines: readonly ParsedFile<T>[]) {
  const kept = lines.flatMap((line) =>
    line.kept === undefined ? [] : [[nameLine(folder, line.value.id), line.kept] as const],
  );
  const records = index(lines.map(({ value }) => value));
  return { records, kept: kept.length === 0 ? {} : { kept: Object.fromEntries(kept) } };
}

function readPastRuns({ path, text }: Source): Piece {
  const { records, kept } = readLines("runs", parsePastRuns(path, text));
  return { runs: records, ...kept };
}

function readPastStops({ path, text }: Source): Piece {
  const { records, kept } = readLines("stops", parsePastStops(path, text));
  return { stops: records, ...kept };
}

/** By the folder that a file stands in. `heads` first: it says what version the others are of. */
const readers: ReadonlyMap<string, (source: Source) => Piece> = new Map([
  ["heads", readHeads],
  ["baseline", readBaseline],
  ["runs", readRun],
  ["stops", readStop],
  ["requests", readRequest],
  ["plans", readPlan],
  ["past/runs", readPastRuns],
  ["past/stops", readPastStops],
]);

/** What a state is read from; anything else on the branch is not read for it. */
export const livePaths: readonly string[] = [...readers.keys()];

/** Throws `LedgerUnreadable` when the file is not what we write, or of a version that this build does not read. */
export function readFile(path: string, text: string, oldest?: number): Piece {
  const folder = livePaths.find((each) => path === each || path.startsWith(`${each}/`));
  return readers.get(folder ?? "")?.({ path, text, oldest }) ?? {};
}

/** A whole record of the archive, as it was among the live ones. */
export function readArchived(path: string, text: string): Piece {
  const live = /^archive\/(runs|stops|plans)\//u.exec(path)?.[1];
  if (live === undefined) throw refuse(path, "no record of the archive stands there");
  return readFile(`${live}/${path.slice(path.lastIndexOf("/") + 1)}`, text, firstFormat);
}

function join<T>(into: Map<string, T>, path: string, records: Readonly<Record<string, T>> = {}): void {
  for (const [id, record] of Object.entries(records)) {
    // A record in two files is two records of one name: which one counts is unknown.
    if (into.has(id)) throw refuse(path, `${cleanLine(id, 80)} stands in another file too`);
    into.set(id, record);
  }
}

/** The state that these files make: path -> what it adds. */
export function joinPieces(head: string, pieces: Iterable<readonly [path: string, piece: Piece]>): LedgerState {
  const [runs, stops, requests, plans] = [new Map(), new Map(), new Map(), new Map()] as [
    Map<string, LedgerState["runs"][string]>,
    Map<string, LedgerState["stops"][string]>,
    Map<string, LedgerState["requests"][string]>,
    Map<string, LedgerState["plans"][string]>,
  ];
  let facts: Piece["facts"] = {};
  const kept: [string, KeptFields][] = [];
  for (const [path, piece] of pieces) {
    facts = { ...facts, ...piece.facts };
    if (piece.kept !== undefined) kept.push(...Object.entries(piece.kept));
    join(runs, path, piece.runs);
    join(stops, path, piece.stops);
    join(requests, path, piece.requests);
    join(plans, path, piece.plans);
  }
  const { baseline: first, format, main, judged, sequence } = facts;
  if (format === undefined || main === undefined || judged === undefined || sequence === undefined)
    throw refuse("heads", "it is not there");
  if (first === undefined) throw refuse("baseline", "it is not there");
  return {
    head,
    format,
    baseline: first,
    main,
    judged,
    sequence,
    runs: Object.fromEntries(runs),
    stops: Object.fromEntries(stops),
    requests: Object.fromEntries(requests),
    plans: Object.fromEntries(plans),
    ...(kept.length === 0 ? {} : { kept: Object.fromEntries(kept) }),
  };
}

/** Records that changed, as they will be read; one that was read whole from the archive stays whole. */
function override<T extends { readonly archived?: unknown }>(
  before: Readonly<Record<string, T>>,
  changed: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  const news = Object.entries(changed).filter(
    ([id, record]) => record.archived === undefined || lookUp(before, id)?.archived === "facts",
  );
  return news.length === 0 ? before : { ...before, ...Object.fromEntries(news) };
}

/** A file that was written has what it was written with, and nothing of before. */
function keepAfter(
  before: LedgerState["kept"],
  written: LedgerState["kept"],
  files: Readonly<Record<string, string | null>>,
): Pick<LedgerState, "kept"> {
  if (before === undefined) return written === undefined ? {} : { kept: written };
  const left = Object.entries(before).filter(([file]) => lookUp(files, file) === undefined);
  return { kept: { ...Object.fromEntries(left), ...written } };
}

/**
 * The state as another process will read it, of which these files changed. Throws `LedgerUnreadable` for one that could not
 * read: it must never be pushed, for it would stop every planner and executor.
 */
export function readBack(state: LedgerState, files: Readonly<Record<string, string | null>>): LedgerState {
  const written = Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]));
  const { baseline: first, format, main, judged, sequence } = state;
  const pieces = written.flatMap(([path, text]) => {
    if (!path.startsWith("archive/")) return [[path, readFile(path, text)] as const];
    readArchived(path, text);
    return [];
  });
  const changed = joinPieces(state.head, [
    ["heads", { facts: { baseline: first, format, main, judged, sequence } }],
    ...pieces,
  ]);
  return {
    ...changed,
    runs: override(state.runs, changed.runs),
    stops: override(state.stops, changed.stops),
    requests: { ...state.requests, ...changed.requests },
    plans: { ...state.plans, ...changed.plans },
    ...keepAfter(state.kept, changed.kept, files),
  };
}
