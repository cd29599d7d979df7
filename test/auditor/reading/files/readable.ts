import { parse } from "yaml";

import type { AuditedCommit } from "../../evidence/evidence.ts";
import { parseFile } from "./assignment.ts";
import { dig } from "./dig.ts";

type Files = Pick<AuditedCommit, "rollouts" | "settings">;

function isDistribution(shares: unknown): boolean {
  if (typeof shares !== "object" || shares === null) return false;
  const weights: readonly unknown[] = Object.values(shares);
  const sum = weights.reduce<number>((total, weight) => total + (typeof weight === "number" ? weight : Number.NaN), 0);
  return sum === 100;
}

function readsAll({ rollouts, settings }: Files): boolean {
  try {
    const file: unknown = parseFile(rollouts);
    const size = dig(parse(settings ?? "{}"), "defaults", "batch", "batchSize") ?? 1;
    if (typeof file !== "object" || file === null || typeof size !== "number") return false;
    const distributions = Object.values(file);
    return distributions.length > 0 && distributions.every(isDistribution);
  } catch {
    return false; // Not YAML.
  }
}

const known = new WeakMap<Files, boolean>();

/**
 * Whether a commit's two files can be parsed. An unreadable commit asks for no revision, and stops moves forward. A campaign's
 * file is not looked at, because an unreadable one only affects its own campaign.
 */
export function isReadable(commit: Files): boolean {
  const answer = known.get(commit) ?? readsAll(commit);
  known.set(commit, answer);
  return answer;
}
