import { commitId, installationId, instant, labelName, line, runId, stopId, stopScope, word } from "#libs/events";
import { cleanLine, formatVersion, readVersion, refuseFormat } from "#libs/input";
import type { Text } from "#libs/wording";
import { z } from "zod";

interface Fault {
  readonly field?: string;
  readonly why: string;
  readonly isOtherVersion?: boolean;
}

/** A file of the ledger branch that is not what meshroll writes: edited by hand, or written by another version. */
export class LedgerUnreadable extends Error {
  override readonly name = "LedgerUnreadable";
  /** Path in the branch. */
  readonly file: string;
  /** The wrong field, as `clusters.one.openedAt`; absent where the whole file is wrong. */
  readonly field?: string;
  /** What is wrong there, without a full stop. */
  readonly why: string;
  /** A build of another version wrote it: nothing is to be repaired, that build can read it. */
  readonly isOtherVersion: boolean;

  constructor(file: string, { field, why, isOtherVersion = false }: Fault, options?: ErrorOptions) {
    const place = field === undefined ? file : `field ${field} of ${file}`;
    const other = `${file} in branch meshroll/ledger is of another build: ${why}`;
    const broken = `${place} in branch meshroll/ledger is not what meshroll writes (${why}): see meshroll ledger check`;
    super(isOtherVersion ? other : broken, options);
    this.isOtherVersion = isOtherVersion;
    this.file = file;
    if (field !== undefined) this.field = field;
    this.why = why;
  }
}

export const count = z.int().min(0).max(1_000_000_000);
const pattern = word(256);
/** `namespace/Kind/name` in a cluster, `cluster:namespace/Kind/name` in the fleet; `*` may stand for the last two. */
const workloadName = word(400);
const sentence = line(2000);
/** `printDistribution` of a bucket; "" = not in the file. It is compared exactly, so it is never cut. */
const distribution = z
  .string()
  .max(64 * 1024)
  .regex(/^[ -~]*$/u);
export const who = line(200);

export const baseline = z.object({ commit: commitId, at: instant, by: who, installation: installationId });
export const heads = z.object({ main: commitId, judged: commitId, sequence: count });
const opened = z.object({
  openedAt: instant,
  uid: word(100).exactOptional(),
  unhealthyBefore: z.array(workloadName),
  doneAt: instant.exactOptional(),
});
/** A sentence that is only shown. */
const words = sentence as z.ZodType as z.ZodType<Text, string>;
const difference = z.object({
  cluster: labelName,
  workload: workloadName,
  why: z.enum(["gone", "already there", "unhealthy", "failed", "overwritten", "rolled back", "late", "skipped"]),
  reason: sentence.exactOptional(),
});
const skipped = z.object({
  cluster: labelName,
  workload: workloadName,
  code: word(100),
  message: words,
  at: instant.exactOptional(),
  until: instant.exactOptional(),
  failed: z.literal(true).exactOptional(),
  neighbour: z.literal(true).exactOptional(),
});
const outcome = z.object({
  migrated: count,
  idle: count.exactOptional(),
  skipped: z.array(skipped),
  earlier: z.record(labelName, count).exactOptional(),
  seen: z.array(labelName),
  differences: z.array(difference).exactOptional(),
  takenOverBy: runId.exactOptional(),
  left: count.exactOptional(),
});
const takenPart = z.object({
  by: word(200),
  migrated: count,
  idle: count.exactOptional(),
  skipped: z.array(skipped),
  left: count,
});
const bake = z.object({
  beganAt: instant,
  neededMs: z.number().min(0),
  healthyMs: z.number().min(0),
  savedAt: instant,
  paused: z.object({ code: word(100), message: words }).exactOptional(),
});
const gate = z.object({
  verdict: z.enum(["pass", "fail", "noData"]),
  at: instant,
  code: word(100).exactOptional(),
  why: words,
  value: z.number().exactOptional(),
  limit: z.number().exactOptional(),
  baseline: z.number().exactOptional(),
  query: line(5000).exactOptional(),
});
const badMeasurement = z.object({
  at: instant,
  value: z.number().exactOptional(),
  baseline: z.number().exactOptional(),
  fault: sentence.exactOptional(),
  baselineFault: sentence.exactOptional(),
});
const tally = z.object({
  by: line(5000),
  bad: z.array(badMeasurement).exactOptional(),
  lowSince: instant.exactOptional(),
});
const changes = z.array(
  z.object({ pattern, from: distribution, to: distribution, direction: z.enum(["forward", "rollback"]) }),
);
export const run = z.object({
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
  reopened: z.literal(true).exactOptional(),
  converge: z.object({ scope: stopScope, cause: z.enum(["verb", "deploys"]), why: sentence }).exactOptional(),
  clusters: z.record(labelName, opened),
  expected: z.array(labelName).exactOptional(),
  campaign: labelName.exactOptional(),
  stage: word(100).exactOptional(),
  list: commitId.exactOptional(),
  bake: bake.exactOptional(),
  gates: z.record(word(100), gate).exactOptional(),
  measured: z.record(word(100), tally).exactOptional(),
  state: z.enum(["open", "done", "empty", "gone"]),
  endedAt: instant.exactOptional(),
  outcome: outcome.exactOptional(),
  taken: z.array(takenPart).exactOptional(),
});
export const stop = z.object({
  id: stopId,
  scope: stopScope,
  strength: z.enum(["propose", "move"]),
  at: instant,
  who,
  why: sentence,
  cause: z.enum([
    "verb",
    "rollback",
    "rolledBack",
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
  rollbackOf: runId.exactOptional(),
  failures: z.array(workloadName).exactOptional(),
  resume: z.object({ at: instant, who, why: sentence }).exactOptional(),
});
export const carriedOut = z.object({
  at: instant,
  answer: sentence,
  outcome: z.enum(["refused", "nothing"]).exactOptional(),
});

export const plan = z.object({
  head: commitId,
  campaign: labelName,
  stage: word(100),
  branch: word(200),
  at: instant,
  listedAt: instant.exactOptional(),
  changes,
  digest: word(200),
});

/** The first thing wrong with a text. */
function findFault(error: unknown): { readonly field?: string; readonly why: string } {
  if (!(error instanceof z.ZodError)) return { why: "it is no JSON" };
  const [issue] = error.issues;
  const field = issue?.path.join(".") ?? "";
  const why = cleanLine(issue?.message ?? "it has another form", 200);
  return field === "" ? { why } : { field: cleanLine(field, 200), why };
}

export function refuse(path: string, why: string): LedgerUnreadable {
  return new LedgerUnreadable(path, { why });
}

/** A record as written to its file, with its version first. */
export function writeRecord(record: object): object {
  return { version: formatVersion, ...record };
}

/** Indented, for people who read the diff. */
export function printRecord(record: object): string {
  return `${JSON.stringify(writeRecord(record), undefined, 2)}\n`;
}

/** Parses one JSON text of a file; its version is checked first. */
export function parseFile<T>(schema: z.ZodType<T>, path: string, text: string): T {
  const raw = parseJson(path, text);
  const version = readVersion(raw);
  const why = refuseFormat(version);
  if (why !== undefined)
    throw new LedgerUnreadable(path, { field: "version", why, isOtherVersion: typeof version === "number" });
  const read = schema.safeParse(raw);
  if (!read.success) throw new LedgerUnreadable(path, findFault(read.error), { cause: read.error });
  return read.data;
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LedgerUnreadable(path, findFault(error), { cause: error });
  }
}
