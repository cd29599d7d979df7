import { collectForgiven } from "../../conditions/index.ts";
import { type LedgerState, nameInFleet } from "../../records/index.ts";
import { listFailures, type RunView } from "../../index/index.ts";
import { printRatio } from "./print-figure.ts";
import type { GateOf, GateReading, GateContext } from "../reading.ts";

/** Failures that a stop for this gate is placed for: once it is lifted they do not count again (rules 3.3). */
export function listUnforgiven(ledger: LedgerState, view: RunView): readonly string[] {
  return listFailures(view, collectForgiven(ledger, view.run.id));
}

/** Workloads that failed and count (rules 3.3), and those that run what they should; both in the clusters that are seen. */
function countTried({ ledger, view, seen }: GateContext): { readonly failed: number; readonly tried: number } {
  const forgiven = collectForgiven(ledger, view.run.id);
  let [failed, migrated] = [0, 0];
  for (const { name } of seen) {
    const classes = view.clusters.get(name);
    migrated += classes?.count(["migrated"]) ?? 0;
    for (const { state } of classes?.listFailed() ?? []) {
      const mark = state.kind === "skipped" ? state.failed : undefined;
      if (mark !== undefined && !forgiven.has(nameInFleet(name, mark))) failed += 1;
    }
  }
  return { failed, tried: failed + migrated };
}

/** Failed workloads of those tried. What is still moving says nothing yet. */
export function readRestartHealth(gate: GateOf<"restartHealth">, context: GateContext): GateReading {
  const { failed, tried } = countTried(context);
  const { maxFailureRatio: limit, minSamples } = gate;
  const query = `failed of tried workloads, run ${context.view.run.id}`;
  if (tried === 0) return { verdict: "pass", why: "no workload was tried yet", limit, query };
  const value = failed / tried;
  const figures = { value, limit, query };
  const said = `${failed} of ${tried} tried workloads failed (${printRatio(value)}): at most ${printRatio(limit)} may`;
  if (tried < minSamples)
    return { verdict: "pass", why: `${said}, which counts from ${minSamples} tried on`, ...figures };
  return { verdict: value > limit ? "fail" : "pass", why: said, ...figures };
}
