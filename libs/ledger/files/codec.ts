import { cleanLine, isRecordId, lookUp } from "#libs/input";
import type { LedgerState } from "#libs/plan";
import type { z } from "zod";

import { parsePastRuns, parsePastStops } from "./archive-files.ts";
import { baseline, carriedOut, heads, parseFile, plan, refuse, run, stop, writeRecord } from "../records/records.ts";

/** What one file of the tree adds to a state. */
export type Piece = {
  readonly [K in "runs" | "stops" | "requests" | "plans"]?: LedgerState[K];
} & { readonly facts?: Partial<Pick<LedgerState, "baseline" | "main" | "judged" | "sequence">> };

type Plan = LedgerState["plans"][string];

function index<T extends { readonly id: string }>(records: readonly T[]): Readonly<Record<string, T>> {
  return Object.fromEntries(records.map((record) => [record.id, record]));
}

export function namePlan({ head }: Pick<Plan, "head">): string {
  return `plans/${head}.tsv`;
}

/** One line of facts, then the list as people read it, so that a diff shows which workloads came and went. */
export function printPlan({ list, ...facts }: Plan): string {
  return `# ${JSON.stringify(writeRecord(facts))}\n${list}`;
}

function readPlan(path: string, text: string): Piece {
  const end = text.indexOf("\n");
  const value = parseFile(plan, path, text.slice("# ".length, end));
  if (path !== namePlan(value)) throw refuse(path, "it names another head");
  return { plans: { [value.head]: { ...value, list: text.slice(end + 1) } } };
}

/** Refuses a record in a file of another name: two files could claim to be the same record. */
function readNamed<T extends { readonly id: string }>(schema: z.ZodType<T>, path: string, text: string) {
  const value = parseFile(schema, path, text);
  if (!path.endsWith(`/${value.id}.json`)) throw refuse(path, "it names another id");
  return index([value]);
}

function readRequest(path: string, text: string): Piece {
  const id = path.slice("requests/".length, -".json".length);
  if (!isRecordId(id) || path !== `requests/${id}.json`) throw refuse(path, "no verb has such an id");
  return { requests: { [id]: parseFile(carriedOut, path, text) } };
}

/** By the folder of the file. */
const readers: ReadonlyMap<string, (path: string, text: string) => Piece> = new Map([
  ["heads", (path, text) => ({ facts: parseFile(heads, path, text) })],
  ["baseline", (path, text) => ({ facts: { baseline: parseFile(baseline, path, text) } })],
  ["runs", (path, text) => ({ runs: readNamed(run, path, text) })],
  ["stops", (path, text) => ({ stops: readNamed(stop, path, text) })],
  ["requests", readRequest],
  ["plans", readPlan],
  ["past/runs", (path, text) => ({ runs: index(parsePastRuns(path, text)) })],
  ["past/stops", (path, text) => ({ stops: index(parsePastStops(path, text)) })],
]);

/** Paths that a state is read from; other files of the branch are not read. */
export const livePaths: readonly string[] = [...readers.keys()];

/** Throws `LedgerUnreadable` when the file is not what we write, or of another version. */
export function readFile(path: string, text: string): Piece {
  const folder = livePaths.find((each) => path === each || path.startsWith(`${each}/`));
  return readers.get(folder ?? "")?.(path, text) ?? {};
}

/** A whole record of the archive, parsed as a live one. */
export function readArchived(path: string, text: string): Piece {
  const live = /^archive\/(runs|stops|plans)\//u.exec(path)?.[1];
  if (live === undefined) throw refuse(path, "the archive has no record there");
  return readFile(`${live}/${path.slice(path.lastIndexOf("/") + 1)}`, text);
}

function join<T>(into: Map<string, T>, path: string, records: Readonly<Record<string, T>> = {}): void {
  for (const [id, record] of Object.entries(records)) {
    // With one record in two files it is unknown which one counts.
    if (into.has(id)) throw refuse(path, `${cleanLine(id, 80)} is in another file too`);
    into.set(id, record);
  }
}

/** The state of these files; `pieces`: path and what it adds. */
export function joinPieces(head: string, pieces: Iterable<readonly [path: string, piece: Piece]>): LedgerState {
  const [runs, stops, requests, plans] = [new Map(), new Map(), new Map(), new Map()] as [
    Map<string, LedgerState["runs"][string]>,
    Map<string, LedgerState["stops"][string]>,
    Map<string, LedgerState["requests"][string]>,
    Map<string, LedgerState["plans"][string]>,
  ];
  let facts: Piece["facts"] = {};
  for (const [path, piece] of pieces) {
    facts = { ...facts, ...piece.facts };
    join(runs, path, piece.runs);
    join(stops, path, piece.stops);
    join(requests, path, piece.requests);
    join(plans, path, piece.plans);
  }
  const { baseline: first, main, judged, sequence } = facts;
  if (main === undefined || judged === undefined || sequence === undefined) throw refuse("heads", "it is not there");
  if (first === undefined) throw refuse("baseline", "it is not there");
  return {
    head,
    baseline: first,
    main,
    judged,
    sequence,
    runs: Object.fromEntries(runs),
    stops: Object.fromEntries(stops),
    requests: Object.fromEntries(requests),
    plans: Object.fromEntries(plans),
  };
}

/** Changed records as they will be read; a record that was read whole from the archive stays whole. */
function override<T extends { readonly archived?: unknown }>(
  before: Readonly<Record<string, T>>,
  changed: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  const news = Object.entries(changed).filter(
    ([id, record]) => record.archived === undefined || lookUp(before, id)?.archived === "facts",
  );
  return news.length === 0 ? before : { ...before, ...Object.fromEntries(news) };
}

/**
 * The state as another process will read it after these files were written. Throws `LedgerUnreadable` for files that it could
 * not read: pushed, they would stop every planner and executor.
 */
export function readBack(state: LedgerState, files: Readonly<Record<string, string | null>>): LedgerState {
  const written = Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]));
  const { baseline: first, main, judged, sequence } = state;
  const pieces = written.flatMap(([path, text]) => {
    if (!path.startsWith("archive/")) return [[path, readFile(path, text)] as const];
    readArchived(path, text);
    return [];
  });
  const changed = joinPieces(state.head, [
    ["heads", { facts: { baseline: first, main, judged, sequence } }],
    ...pieces,
  ]);
  return {
    ...changed,
    runs: override(state.runs, changed.runs),
    stops: override(state.stops, changed.stops),
    requests: { ...state.requests, ...changed.requests },
    plans: { ...state.plans, ...changed.plans },
  };
}
