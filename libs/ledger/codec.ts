import { commitId, instant, labelName, line, recordId, runId, stopScope, word } from "#libs/events";
import { isRecordId } from "#libs/input";
import type { LedgerState } from "#libs/plan";
import { z } from "zod";

/** A file of the ledger branch that is not what meshroll writes: somebody edited the branch, or a newer version wrote it. */
export class LedgerUnreadable extends Error {
  override readonly name = "LedgerUnreadable";
}

const count = z.int().min(0).max(1_000_000_000);
const pattern = word(256);
/** `namespace/Kind/name`, within a cluster; `cluster:namespace/Kind/name` over the fleet; `*` in place of the last two. */
const workloadName = word(400);
const sentence = line(2000);
/** `printDistribution` of a bucket; "" = not in the file. Compared to the letter, so it is never cut. */
const distribution = z
  .string()
  .max(64 * 1024)
  .regex(/^[ -~]*$/u);
const who = line(200);

const baseline = z.object({ commit: commitId, at: instant, by: who });
const heads = z.object({ version: z.literal(1), main: commitId, judged: commitId, sequence: count });
const opened = z.object({
  openedAt: instant,
  uid: word(100).exactOptional(),
  unhealthyBefore: z.array(workloadName),
  doneAt: instant.exactOptional(),
});
const difference = z.object({
  cluster: labelName,
  workload: workloadName,
  why: z.enum(["gone", "already there", "unhealthy", "failed", "taken back", "late", "aside"]),
  reason: sentence.exactOptional(),
});
const outcome = z.object({
  arrived: count,
  aside: z.array(z.object({ cluster: labelName, workload: workloadName, reason: sentence })),
  seen: z.array(labelName),
  differences: z.array(difference).exactOptional(),
  takenOverBy: runId.exactOptional(),
});
const bake = z.object({
  beganAt: instant,
  neededMs: z.number().min(0),
  healthyMs: z.number().min(0),
  savedAt: instant,
  paused: sentence.exactOptional(),
});
const gate = z.object({
  verdict: z.enum(["pass", "fail", "noData"]),
  at: instant,
  why: sentence,
  value: z.number().exactOptional(),
  limit: z.number().exactOptional(),
  baseline: z.number().exactOptional(),
  query: line(5000).exactOptional(),
});
const changes = z.array(
  z.object({ pattern, from: distribution, to: distribution, direction: z.enum(["forward", "return"]) }),
);
const run = z.object({
  id: runId,
  commit: commitId,
  before: commitId,
  order: count,
  startedAt: instant,
  author: who,
  subject: line(500),
  buckets: z.array(pattern),
  changes,
  reseeded: z.literal(true).exactOptional(),
  retried: z.record(workloadName, count).exactOptional(),
  clusters: z.record(labelName, opened),
  expected: z.array(labelName).exactOptional(),
  campaign: labelName.exactOptional(),
  stage: word(100).exactOptional(),
  beside: z.array(z.object({ campaign: labelName, stage: word(100), buckets: z.array(pattern) })).exactOptional(),
  list: commitId.exactOptional(),
  bake: bake.exactOptional(),
  gates: z.record(word(100), gate).exactOptional(),
  state: z.enum(["open", "done", "empty", "gone"]),
  endedAt: instant.exactOptional(),
  outcome: outcome.exactOptional(),
});
const stop = z.object({
  id: recordId,
  scope: stopScope,
  strength: z.enum(["propose", "move"]),
  at: instant,
  who,
  why: sentence,
  cause: z.enum([
    "verb",
    "rollback",
    "return",
    "cluster",
    "failures",
    "jobFailed",
    "forcedPush",
    "otherCluster",
    "gate",
    "closed",
  ]),
  foundIn: labelName.exactOptional(),
  gate: word(100).exactOptional(),
  pull: count.exactOptional(),
  stage: word(100).exactOptional(),
  until: instant.exactOptional(),
  revertTo: commitId.exactOptional(),
  now: z.literal(true).exactOptional(),
  returnOf: runId.exactOptional(),
  failures: z.array(workloadName).exactOptional(),
  lift: z.object({ at: instant, who, why: sentence }).exactOptional(),
});
const carriedOut = z.object({
  at: instant,
  answer: sentence,
  outcome: z.enum(["refused", "nothing"]).exactOptional(),
});

const plan = z.object({
  head: commitId,
  campaign: labelName,
  stage: word(100),
  branch: word(200),
  at: instant,
  listedAt: instant.exactOptional(),
  changes,
  digest: word(200),
});

const folders = { runs: run, stops: stop, asks: carriedOut } as const;

function print(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** The whole tree of a state: path -> content. */
export function printLedger(state: LedgerState): Readonly<Record<string, string>> {
  const files: Record<string, string> = {
    baseline: print(state.baseline),
    heads: print({ version: 1, main: state.main, judged: state.judged, sequence: state.sequence }),
  };
  for (const folder of ["runs", "stops", "asks"] as const) {
    for (const [id, record] of Object.entries(state[folder])) files[`${folder}/${id}.json`] = print(record);
  }
  for (const [head, { list, ...facts }] of Object.entries(state.plans)) {
    // One line of facts, then the list as people read it: a diff of two heads shows who came and who went.
    files[`plans/${head}.tsv`] = `# ${JSON.stringify(facts)}\n${list}`;
  }
  return files;
}

function readPlans(files: Readonly<Record<string, string>>): LedgerState["plans"] {
  const plans = Object.entries(files).flatMap(([path, text]) => {
    if (!path.startsWith("plans/")) return [];
    const end = text.indexOf("\n");
    const facts = parseFile(plan, path, text.slice("# ".length, end));
    requireName(path, `plans/${facts.head}.tsv`);
    return [[facts.head, { ...facts, list: text.slice(end + 1) }] as const];
  });
  return Object.fromEntries(plans);
}

function refuse(path: string, cause?: unknown): LedgerUnreadable {
  const look = `look at its last commits with git log -p meshroll/ledger -- ${path}`;
  const message = `${path} of branch meshroll/ledger is not what meshroll writes: ${look}`;
  return new LedgerUnreadable(message, cause === undefined ? {} : { cause });
}

/** A record stands in the file of its own name: else two files could claim to be one record. */
function requireName(path: string, wanted: string): void {
  if (path !== wanted) throw refuse(path);
}

function parseFile<T>(schema: z.ZodType<T>, path: string, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw refuse(path, error);
  }
}

function readFolder<T>(
  schema: z.ZodType<T>,
  folder: string,
  files: Readonly<Record<string, string>>,
): Record<string, T> {
  const records = Object.entries(files).flatMap(([path, text]) => {
    if (!path.startsWith(`${folder}/`)) return [];
    const id = path.slice(folder.length + 1, -".json".length);
    const record = parseFile(schema, path, text);
    const named = record !== null && typeof record === "object" && "id" in record ? record.id : id;
    if (!isRecordId(id) || named !== id) throw refuse(path);
    return [[id, record] as const];
  });
  return Object.fromEntries(records);
}

/**
 * The state as another process will read it, of which these files changed. Throws `LedgerUnreadable` for one that nobody could
 * read: it must never be pushed, for it would stop every planner and executor.
 */
export function readBack(state: LedgerState, files: Readonly<Record<string, string | null>>): LedgerState {
  const written = Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [[path, text]])),
  );
  const all = printLedger({ ...state, runs: {}, stops: {}, asks: {}, plans: {} });
  const changed = parseLedger(state.head, { ...all, ...written });
  return {
    ...changed,
    runs: { ...state.runs, ...changed.runs },
    stops: { ...state.stops, ...changed.stops },
    asks: { ...state.asks, ...changed.asks },
    plans: { ...state.plans, ...changed.plans },
  };
}

/** Reads back what `printLedger` wrote; unknown extra fields are dropped, missing ones are an error. */
export function parseLedger(head: string, files: Readonly<Record<string, string>>): LedgerState {
  const recorded = parseFile(heads, "heads", files["heads"] ?? "");
  return {
    head,
    baseline: parseFile(baseline, "baseline", files["baseline"] ?? ""),
    main: recorded.main,
    judged: recorded.judged,
    sequence: recorded.sequence,
    runs: readFolder(folders.runs, "runs", files),
    stops: readFolder(folders.stops, "stops", files),
    asks: readFolder(folders.asks, "asks", files),
    plans: readPlans(files),
  };
}
