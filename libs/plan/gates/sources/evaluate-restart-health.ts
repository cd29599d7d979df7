import { collectForgiven } from "../../conditions/index.ts";
import type { LedgerState } from "../../records/index.ts";
import { listFailures, type RunView } from "../../index/index.ts";
import type { GateOf, GateReading, GateContext } from "../reading.ts";

/** Failures for which this gate's stop is placed; after it is ended they do not count again (rules 3.3). */
export function listUnforgiven(ledger: LedgerState, view: RunView): readonly string[] {
  return listFailures(view, collectForgiven(ledger, view.run.id)).objects;
}

/** `tried` are those that migrated or failed in this run; a resume leaves those that failed before it out. */
interface Tried {
  readonly failed: number;
  /** Failed, but accepted by a resume, so that they do not count. */
  readonly accepted: number;
  readonly tried: number;
}

/** Workloads that failed and count (rules 3.3), and migrated ones, in seen clusters. */
function countTried({ ledger, view, seen }: GateContext): Tried {
  const names = seen.map(({ name }) => name);
  const failed = listFailures(view, collectForgiven(ledger, view.run.id), names).workloads.length;
  const accepted = listFailures(view, new Set(), names).workloads.length - failed;
  const migrated = names.reduce((sum, name) => sum + (view.clusters.get(name)?.count(["migrated"]) ?? 0), 0);
  return { failed, accepted, tried: failed + migrated };
}

/** Failed workloads of those tried; moving ones do not count yet. */
export function evaluateRestartHealth(gate: GateOf<"restartHealth">, context: GateContext): GateReading {
  const { failed, accepted, tried } = countTried(context);
  const { maxFailureRatio: limit, minSamples } = gate;
  const asked = { kind: "restartHealth", run: context.view.run.id } as const;
  if (tried === 0) return { verdict: "pass", found: { code: "NothingTried" }, limit, asked };
  const value = failed / tried;
  // With those that were tried before a resume they are the run's workloads.
  const untried = context.workloads - tried - accepted;
  const rest = { ...(accepted === 0 ? {} : { accepted }), ...(untried === 0 ? {} : { untried }) };
  const found = { code: "TriedWorkloads", failed, tried, maxFailureRatio: limit, ...rest } as const;
  if (tried < minSamples) return { verdict: "pass", found: { ...found, minSamples }, value, limit, asked };
  return { verdict: value > limit ? "fail" : "pass", found, value, limit, asked };
}
