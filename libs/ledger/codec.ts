import type { LedgerState } from "#libs/plan";
import { z } from "zod";

/** A file of the ledger branch that is not what meshroll writes: somebody edited the branch, or a newer version wrote it. */
class LedgerUnreadable extends Error {
  override readonly name = "LedgerUnreadable";
}

const baseline = z.object({ commit: z.string(), at: z.string(), by: z.string() });
const heads = z.object({ version: z.literal(1), main: z.string(), judged: z.string(), sequence: z.number().int() });
const opened = z.object({
  openedAt: z.string(),
  uid: z.string().exactOptional(),
  unhealthyBefore: z.array(z.string()),
  doneAt: z.string().exactOptional(),
});
const difference = z.object({
  cluster: z.string(),
  workload: z.string(),
  why: z.enum(["gone", "already there", "unhealthy", "failed", "taken back", "late", "aside"]),
  reason: z.string().exactOptional(),
});
const outcome = z.object({
  arrived: z.number().int(),
  aside: z.array(z.object({ cluster: z.string(), workload: z.string(), reason: z.string() })),
  seen: z.array(z.string()),
  differences: z.array(difference).exactOptional(),
  takenOverBy: z.string().exactOptional(),
});
const bake = z.object({
  beganAt: z.string(),
  neededMs: z.number(),
  healthyMs: z.number(),
  savedAt: z.string(),
  paused: z.string().exactOptional(),
});
const gate = z.object({
  verdict: z.enum(["pass", "fail", "noData"]),
  at: z.string(),
  why: z.string(),
  value: z.number().exactOptional(),
  limit: z.number().exactOptional(),
  baseline: z.number().exactOptional(),
  query: z.string().exactOptional(),
});
const changes = z.array(
  z.object({ pattern: z.string(), from: z.string(), to: z.string(), direction: z.enum(["forward", "return"]) }),
);
const run = z.object({
  id: z.string(),
  commit: z.string(),
  before: z.string(),
  order: z.number().int(),
  startedAt: z.string(),
  author: z.string(),
  subject: z.string(),
  buckets: z.array(z.string()),
  changes,
  reseeded: z.literal(true).exactOptional(),
  retried: z.record(z.string(), z.number().int()).exactOptional(),
  clusters: z.record(z.string(), opened),
  expected: z.array(z.string()).exactOptional(),
  campaign: z.string().exactOptional(),
  stage: z.string().exactOptional(),
  beside: z.array(z.object({ campaign: z.string(), stage: z.string(), buckets: z.array(z.string()) })).exactOptional(),
  list: z.string().exactOptional(),
  bake: bake.exactOptional(),
  gates: z.record(z.string(), gate).exactOptional(),
  state: z.enum(["open", "done", "empty", "gone"]),
  endedAt: z.string().exactOptional(),
  outcome: outcome.exactOptional(),
});
const scope = z.union([
  z.literal("all"),
  z.templateLiteral([z.enum(["cluster", "campaign", "run", "bucket", "namespace"]), "/", z.string()]),
]);
const stop = z.object({
  id: z.string(),
  scope,
  strength: z.enum(["propose", "move"]),
  at: z.string(),
  who: z.string(),
  why: z.string(),
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
  gate: z.string().exactOptional(),
  pull: z.number().int().exactOptional(),
  stage: z.string().exactOptional(),
  until: z.string().exactOptional(),
  revertTo: z.string().exactOptional(),
  now: z.literal(true).exactOptional(),
  returnOf: z.string().exactOptional(),
  failures: z.array(z.string()).exactOptional(),
  lift: z.object({ at: z.string(), who: z.string(), why: z.string() }).exactOptional(),
});
const carriedOut = z.object({ at: z.string(), answer: z.string() });

const plan = z.object({
  head: z.string(),
  campaign: z.string(),
  stage: z.string(),
  branch: z.string(),
  at: z.string(),
  listedAt: z.string().exactOptional(),
  changes,
  digest: z.string(),
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
  const plans: Record<string, LedgerState["plans"][string]> = {};
  for (const [path, text] of Object.entries(files)) {
    if (!path.startsWith("plans/")) continue;
    const end = text.indexOf("\n");
    const facts = parseFile(plan, path, text.slice("# ".length, end));
    plans[facts.head] = { ...facts, list: text.slice(end + 1) };
  }
  return plans;
}

function parseFile<T>(schema: z.ZodType<T>, path: string, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new LedgerUnreadable(
      `${path} of branch meshroll/ledger is not what meshroll writes: look at its last commits with git log -p meshroll/ledger -- ${path}`,
      { cause: error },
    );
  }
}

function readFolder<T>(
  schema: z.ZodType<T>,
  folder: string,
  files: Readonly<Record<string, string>>,
): Record<string, T> {
  const records: Record<string, T> = {};
  for (const [path, text] of Object.entries(files)) {
    if (path.startsWith(`${folder}/`))
      records[path.slice(folder.length + 1, -".json".length)] = parseFile(schema, path, text);
  }
  return records;
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
