import type { AuditedLedger, AuditedRun, AuditedStop, AuditedVerdict } from "../evidence.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { listArrived, type RecordedRepository } from "./recorded-repository.ts";

const branch = "meshroll/ledger";

interface RawStop {
  readonly id: string;
  readonly scope: string;
  readonly strength: string;
  readonly who?: string;
  readonly cause?: string;
  readonly rollbackOf?: string;
  readonly revertTo?: string;
  readonly now?: boolean;
  readonly foundIn?: string;
  readonly resume?: object;
}

interface Named {
  readonly cluster: string;
  readonly workload: string;
}

interface RawRun {
  readonly id: string;
  readonly state: string;
  readonly retried?: Readonly<Record<string, number>>;
  readonly commit?: string;
  readonly converge?: object;
  readonly campaign?: string;
  readonly stage?: string;
  /** The head of the pull request that listed which workloads move. */
  readonly list?: string;
  readonly clusters?: Readonly<Record<string, object>>;
  /** Clusters that it waits for, though the inventory has not shown them since it began. */
  readonly expected?: readonly string[];
  readonly gates?: Readonly<Record<string, { readonly verdict: string }>>;
  readonly outcome?: {
    readonly skipped: readonly Named[];
    readonly differences?: readonly Named[];
    readonly takenOverBy?: string;
    readonly seen?: readonly string[];
  };
}

/** One version of a file of the branch, with the earliest and the latest time at which the server had it. */
interface Version {
  readonly path: string;
  readonly text: string;
  readonly from: number;
  readonly until: number;
}

interface RecordVersion<T> extends Pick<Version, "from" | "until"> {
  readonly record: T;
}

/** Every version of every file that the branch ever had, oldest first. */
function listVersions(repository: RecordedRepository): readonly Version[] {
  return listArrived(repository, branch).flatMap(({ commit, push: { from, until } }) =>
    [...commit.changes].flatMap(([path, text]) => (text === undefined ? [] : [{ path, text, from, until }])),
  );
}

/** Undefined for text that is not JSON. */
function parseRecord<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

/** The records of one kind by their id, each with its versions, oldest first. */
function readRecords<T extends { readonly id: string }>(
  versions: readonly Version[],
  folder: string,
): ReadonlyMap<string, readonly RecordVersion<T>[]> {
  // A finished record moves to the archive as a whole. It is the same record in either place.
  const places = [`${folder}/`, `archive/${folder}/`];
  const files = versions.filter(({ path }) => path.endsWith(".json") && places.some((place) => path.startsWith(place)));
  const history = files.flatMap(({ text, from, until }) => {
    const record = parseRecord<T>(text);
    return record === undefined ? [] : [{ record, from, until }];
  });
  return Map.groupBy(history, ({ record }) => record.id);
}

function readStop(history: readonly RecordVersion<RawStop>[]): readonly AuditedStop[] {
  const [first] = history;
  if (first === undefined) return [];
  const { id, scope, strength, who = "", cause, rollbackOf, revertTo, now, foundIn } = first.record;
  const resumed = history.find(({ record }) => record.resume !== undefined);
  const stop: AuditedStop = omitUndefined({
    id,
    scope,
    strength,
    who,
    cause,
    rollbackOf,
    revertTo,
    now,
    foundIn,
    at: first.until,
    resumedAt: resumed?.from,
  });
  return [stop];
}

function nameAll(all: readonly Named[] = []): readonly string[] {
  return all.map(({ cluster, workload }) => `${cluster}:${workload}`);
}

/** The workloads of a `plans/<head>.tsv`. Its first line is a header. */
function readList(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => line.split("\t").slice(4, 6).join(":"));
}

/** The newest list of each head. All versions are read, because a plan is deleted when its campaign is over. */
function readLists(versions: readonly Version[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    versions.flatMap(({ path, text }) => {
      const head = /^(?:archive\/)?plans\/(?:.*\/)?([^/]+)\.tsv$/u.exec(path)?.[1];
      return head === undefined ? [] : [[head, readList(text)] as const];
    }),
  );
}

/** The latest time at which each wave was opened, by cluster. */
function readOpened(history: readonly RecordVersion<RawRun>[]): Readonly<Record<string, number>> {
  const opened = new Map<string, number>();
  for (const { record, until } of history)
    for (const name of Object.keys(record.clusters ?? {})) if (!opened.has(name)) opened.set(name, until);
  return Object.fromEntries(opened);
}

function readVerdicts(history: readonly RecordVersion<RawRun>[]): readonly AuditedVerdict[] {
  const last = new Map<string, string>();
  return history.flatMap(({ record, from, until }) =>
    Object.entries(record.gates ?? {}).flatMap(([gate, { verdict }]) => {
      if (last.get(gate) === verdict) return [];
      last.set(gate, verdict);
      return [{ gate, verdict, at: from, atLatest: until }];
    }),
  );
}

/** Each end of the run that a retry undid. */
function readEarlierEnds(history: readonly RecordVersion<RawRun>[]): NonNullable<AuditedRun["earlierEnds"]> {
  const ends: { readonly endedAt: number; readonly reopenedAt: number }[] = [];
  let endedAt: number | undefined;
  for (const { record, from, until } of history) {
    if (record.state !== "open") endedAt ??= from;
    else if (endedAt !== undefined) {
      ends.push({ endedAt, reopenedAt: until });
      endedAt = undefined;
    }
  }
  return ends;
}

/** Without duplicates; undefined for an empty list. */
function listDistinct<T>(all: readonly T[]): readonly T[] | undefined {
  return all.length === 0 ? undefined : [...new Set(all)];
}

/** The run as the ledger ends with it, with the times of its records. */
function readRun(
  history: readonly RecordVersion<RawRun>[],
  lists: ReadonlyMap<string, readonly string[]>,
): readonly AuditedRun[] {
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { id, state, retried = {}, outcome, campaign, stage, list: head, converge, commit } = last.record;
  // A retry opens a run again, so its end is the first record after the last open one.
  const ended = history[history.findLastIndex(({ record }) => record.state === "open") + 1];
  const { skipped, differences, takenOverBy, seen } = outcome ?? {};
  const run: AuditedRun = omitUndefined({
    id,
    state,
    startedFrom: first.from,
    startedAt: first.until,
    endedAt: ended?.from,
    endedAtLatest: ended?.until,
    earlierEnds: listDistinct(readEarlierEnds(history)),
    retried,
    convergesTo: converge === undefined ? undefined : commit,
    skipped: nameAll(skipped),
    everSkipped: listDistinct(history.flatMap(({ record }) => nameAll(record.outcome?.skipped))),
    campaign,
    stage,
    list: lists.get(head ?? ""),
    differences: differences === undefined ? undefined : nameAll(differences),
    takenOverBy,
    clusters: readOpened(history),
    expected: listDistinct(history.flatMap(({ record }) => record.expected ?? [])),
    seen,
    verdicts: readVerdicts(history),
  });
  return [run];
}

/** The commit of main that the first baseline names; undefined without a readable ledger. */
export function readBaseline(repository: RecordedRepository): string | undefined {
  const first = listVersions(repository).find(({ path }) => path === "baseline");
  return first === undefined ? undefined : parseRecord<{ readonly commit?: string }>(first.text)?.commit;
}

/** Stops and runs from the history of the ledger branch, with the times of the server; "none" where there is no such branch. */
export function readLedger(repository: RecordedRepository): AuditedLedger | "none" {
  if (!repository.pushes.some((push) => push.branch === branch && push.after !== undefined)) return "none";
  const versions = listVersions(repository);
  const lists = readLists(versions);
  return {
    stops: [...readRecords<RawStop>(versions, "stops").values()].flatMap(readStop),
    runs: [...readRecords<RawRun>(versions, "runs").values()].flatMap((history) => readRun(history, lists)),
  };
}
