import { commitId, instant, labelName, line, recordId, runId, stopScope, word } from "#libs/events";
import { cleanLine } from "#libs/input";
import { z } from "zod";

/** A file of the ledger branch that is not what meshroll writes: somebody edited the branch, or a newer version wrote it. */
export class LedgerUnreadable extends Error {
  override readonly name = "LedgerUnreadable";
  /** Path in the branch. */
  readonly file: string;
  /** The field in it that is wrong, as `clusters.one.openedAt`; absent where the whole file is. */
  readonly field?: string;
  /** What is wrong there, without a full stop. */
  readonly why: string;

  constructor(file: string, { field, why }: { readonly field?: string; readonly why: string }, options?: ErrorOptions) {
    const place = field === undefined ? file : `field ${field} of ${file}`;
    super(
      `${place} in branch meshroll/ledger is not what meshroll writes (${why}): see meshroll ledger check`,
      options,
    );
    this.file = file;
    if (field !== undefined) this.field = field;
    this.why = why;
  }
}

export const count = z.int().min(0).max(1_000_000_000);
const pattern = word(256);
/** `namespace/Kind/name`, within a cluster; `cluster:namespace/Kind/name` over the fleet; `*` in place of the last two. */
const workloadName = word(400);
const sentence = line(2000);
/** `printDistribution` of a bucket; "" = not in the file. Compared to the letter, so it is never cut. */
const distribution = z
  .string()
  .max(64 * 1024)
  .regex(/^[ -~]*$/u);
export const who = line(200);

export const baseline = z.object({ commit: commitId, at: instant, by: who });
export const heads = z.object({ version: z.literal(1), main: commitId, judged: commitId, sequence: count });
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
export const stop = z.object({
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

/** The first thing that a form has against a text. */
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

/** Reads one JSON text of a file by the form of its record. */
export function parseFile<T>(schema: z.ZodType<T>, path: string, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new LedgerUnreadable(path, findFault(error), { cause: error });
  }
}
