import type { LedgerState } from "#libs/plan";
import type { Reason } from "#libs/wording";

function rename(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => rename(each, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, rename(each, names)]));
}

/** The reason with each run named by its stage: the ids of simulated runs are made up and useless in commands. */
export function nameRuns(reason: Reason, runs: LedgerState["runs"]): Reason {
  const names = Object.values(runs).flatMap(({ id, stage = "no stage" }) => [
    [`run/${id}`, `the run of ${stage}`] as const,
    [id, `of ${stage}`] as const,
  ]);
  return rename(reason, new Map(names)) as Reason;
}
