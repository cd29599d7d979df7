import type { AuditedLedger, AuditedRun, AuditedStop, AuditedVerdict } from "../evidence.ts";
import { keepKnown } from "../keep-known.ts";
import { listMigrated, type RecordedRepository } from "./recorded-repository.ts";

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
  /** The head of the pull request that listed who moves. */
  readonly list?: string;
  readonly clusters?: Readonly<Record<string, object>>;
  /** Clusters that it waits for, though they were not seen since it began. */
  readonly expected?: readonly string[];
  readonly gates?: Readonly<Record<string, { readonly verdict: string }>>;
  readonly outcome?: {
    readonly skipped: readonly Named[];
    readonly differences?: readonly Named[];
    readonly takenOverBy?: string;
    readonly seen?: readonly string[];
  };
}

/** One version of a file of the branch, and when the server had it: at the earliest, and at the latest. */
interface Version {
  readonly path: string;
  readonly text: string;
  readonly from: number;
  readonly until: number;
}

interface Said<T> extends Pick<Version, "from" | "until"> {
  readonly record: T;
}

/** Every version of every file that the branch ever had, oldest first. */
function listVersions(repository: RecordedRepository): readonly Version[] {
  return listMigrated(repository, branch).flatMap(({ commit, push: { from, until } }) =>
    [...commit.changes].flatMap(([path, text]) => (text === undefined ? [] : [{ path, text, from, until }])),
  );
}

/** Undefined for what is no JSON. */
function parseRecord<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

/** What the records of one kind said, oldest first, by their id. */
function readRecords<T extends { readonly id: string }>(
  versions: readonly Version[],
  folder: string,
): ReadonlyMap<string, readonly Said<T>[]> {
  // What is over moves to the archive, whole; whichever place has it, it is the same record.
  const places = [`${folder}/`, `archive/${folder}/`];
  const files = versions.filter(({ path }) => path.endsWith(".json") && places.some((place) => path.startsWith(place)));
  const said = files.flatMap(({ text, from, until }) => {
    const record = parseRecord<T>(text);
    return record === undefined ? [] : [{ record, from, until }];
  });
  return Map.groupBy(said, ({ record }) => record.id);
}

function readStop(said: readonly Said<RawStop>[]): readonly AuditedStop[] {
  const [first] = said;
  if (first === undefined) return [];
  const { id, scope, strength, who = "", cause, rollbackOf, revertTo, now, foundIn } = first.record;
  const resumed = said.find(({ record }) => record.resume !== undefined);
  const stop: AuditedStop = keepKnown({
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

/** Who moves, by a list of `plans/<head>.tsv`: its first line is no workload. */
function readList(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => line.split("\t").slice(4, 6).join(":"));
}

/** The newest list of each head: a plan may be gone from the tree when its campaign is over. */
function readLists(versions: readonly Version[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    versions.flatMap(({ path, text }) => {
      const head = /^(?:archive\/)?plans\/(?:.*\/)?([^/]+)\.tsv$/u.exec(path)?.[1];
      return head === undefined ? [] : [[head, readList(text)] as const];
    }),
  );
}

/** When each wave opened, at the latest. */
function readOpened(said: readonly Said<RawRun>[]): Readonly<Record<string, number>> {
  const opened = new Map<string, number>();
  for (const { record, until } of said)
    for (const name of Object.keys(record.clusters ?? {})) if (!opened.has(name)) opened.set(name, until);
  return Object.fromEntries(opened);
}

function readVerdicts(said: readonly Said<RawRun>[]): readonly AuditedVerdict[] {
  const last = new Map<string, string>();
  return said.flatMap(({ record, from, until }) =>
    Object.entries(record.gates ?? {}).flatMap(([gate, { verdict }]) => {
      if (last.get(gate) === verdict) return [];
      last.set(gate, verdict);
      return [{ gate, verdict, at: from, atLatest: until }];
    }),
  );
}

/** Each time that it was over, and a retry opened it again. */
function readEarlierEnds(said: readonly Said<RawRun>[]): NonNullable<AuditedRun["earlierEnds"]> {
  const ends: { readonly endedAt: number; readonly reopenedAt: number }[] = [];
  let endedAt: number | undefined;
  for (const { record, from, until } of said) {
    if (record.state !== "open") endedAt ??= from;
    else if (endedAt !== undefined) {
      ends.push({ endedAt, reopenedAt: until });
      endedAt = undefined;
    }
  }
  return ends;
}

/** Each of them once; undefined where there is none. */
function keepSome<T>(all: readonly T[]): readonly T[] | undefined {
  return all.length === 0 ? undefined : [...new Set(all)];
}

/** As the ledger ends with it, with the times at which it said so. */
function readRun(said: readonly Said<RawRun>[], lists: ReadonlyMap<string, readonly string[]>): readonly AuditedRun[] {
  const [first, last] = [said[0], said.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { id, state, retried = {}, outcome, campaign, stage, list: head, converge, commit } = last.record;
  // A retry opens a run again: its end is the one that stands.
  const ended = said[said.findLastIndex(({ record }) => record.state === "open") + 1];
  const { skipped, differences, takenOverBy, seen } = outcome ?? {};
  const run: AuditedRun = keepKnown({
    id,
    state,
    startedFrom: first.from,
    startedAt: first.until,
    endedAt: ended?.from,
    endedAtLatest: ended?.until,
    earlierEnds: keepSome(readEarlierEnds(said)),
    retried,
    convergesTo: converge === undefined ? undefined : commit,
    skipped: nameAll(skipped),
    everSkipped: keepSome(said.flatMap(({ record }) => nameAll(record.outcome?.skipped))),
    campaign,
    stage,
    list: lists.get(head ?? ""),
    differences: differences === undefined ? undefined : nameAll(differences),
    takenOverBy,
    clusters: readOpened(said),
    expected: keepSome(said.flatMap(({ record }) => record.expected ?? [])),
    seen,
    verdicts: readVerdicts(said),
  });
  return [run];
}

/** The commit of main that the first baseline names; undefined without a ledger, or one that reads. */
export function readBaseline(repository: RecordedRepository): string | undefined {
  const first = listVersions(repository).find(({ path }) => path === "baseline");
  return first === undefined ? undefined : parseRecord<{ readonly commit?: string }>(first.text)?.commit;
}

/** What the history of the ledger branch says of stops and runs, with the times of the server; "none" where it has no such branch. */
export function readLedger(repository: RecordedRepository): AuditedLedger | "none" {
  if (!repository.pushes.some((push) => push.branch === branch && push.after !== undefined)) return "none";
  const versions = listVersions(repository);
  const lists = readLists(versions);
  return {
    stops: [...readRecords<RawStop>(versions, "stops").values()].flatMap(readStop),
    runs: [...readRecords<RawRun>(versions, "runs").values()].flatMap((said) => readRun(said, lists)),
  };
}
