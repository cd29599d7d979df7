import { parse } from "yaml";

import type { AuditedCommit, AuditedRun } from "../evidence/evidence.ts";

type Part = Readonly<Record<string, unknown>>;

function dig(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) found = typeof found === "object" && found !== null ? (found as Part)[key] : undefined;
  return found;
}

function findSpec(texts: Readonly<Record<string, string>>, name: string): unknown {
  const all = Object.values(texts).map((text) => parse(text) as unknown);
  return dig(
    all.find((each) => dig(each, "metadata", "name") === name),
    "spec",
  );
}

function readNumber(...found: readonly unknown[]): number | undefined {
  return found.find((each) => typeof each === "number");
}

/**
 * The batchSize that a campaign of main writes for a run's stage, of a return its `rollback.batch` first; undefined where it
 * writes none, or the run is nobody's.
 */
export function campaignBatchSize(
  head: AuditedCommit | undefined,
  run: AuditedRun | undefined,
  isReturn: boolean,
): number | undefined {
  if (head?.campaigns === undefined || run?.campaign === undefined) return undefined;
  const spec = findSpec(head.campaigns, run.campaign);
  const stages = dig(spec, "stages");
  const stage = Array.isArray(stages) ? stages.find((each: unknown) => dig(each, "name") === run.stage) : undefined;
  const plain = readNumber(dig(stage, "batch", "batchSize"), dig(spec, "defaults", "batch", "batchSize"));
  const back = readNumber(
    dig(stage, "rollback", "batch", "batchSize"),
    dig(spec, "rollback", "batch", "batchSize"),
    dig(spec, "defaults", "rollback", "batch", "batchSize"),
  );
  return isReturn ? (back ?? plain) : plain;
}
