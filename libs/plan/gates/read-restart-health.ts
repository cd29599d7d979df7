import { collectForgiven } from "../guards.ts";
import type { LedgerState } from "../ledger-state.ts";
import { listFailures, type RunView } from "../run-view.ts";
import { nameInFleet } from "../workload-key.ts";
import { printRatio } from "./print-figure.ts";
import type { GateOf, GateReading, GateScene } from "./reading.ts";

/** Failures that a stop for this gate is placed for: once it is lifted they do not count again (rules 3.3). */
export function listUnforgiven(ledger: LedgerState, view: RunView): readonly string[] {
  return listFailures(view, collectForgiven(ledger, view.run.id));
}

/** Workloads that failed and count (rules 3.3), and those that run what they should; both in the clusters that are seen. */
function countTried({ ledger, view, seen }: GateScene): { readonly failed: number; readonly tried: number } {
  const forgiven = collectForgiven(ledger, view.run.id);
  let [failed, arrived] = [0, 0];
  for (const { name } of seen) {
    const classes = view.clusters.get(name);
    arrived += classes?.count(["there"]) ?? 0;
    for (const { standing } of classes?.listFailed() ?? []) {
      const mark = standing.kind === "aside" ? standing.failed : undefined;
      if (mark !== undefined && !forgiven.has(nameInFleet(name, mark))) failed += 1;
    }
  }
  return { failed, tried: failed + arrived };
}

/** Failed workloads of those tried. What is still moving says nothing yet. */
export function readRestartHealth(gate: GateOf<"restartHealth">, scene: GateScene): GateReading {
  const { failed, tried } = countTried(scene);
  const { maxFailureRatio: limit, minSamples } = gate;
  const query = `failed of tried workloads, run ${scene.view.run.id}`;
  if (tried === 0) return { verdict: "pass", why: "nobody was tried yet", limit, query };
  const value = failed / tried;
  const figures = { value, limit, query };
  const said = `${failed} of ${tried} tried workloads failed (${printRatio(value)}): at most ${printRatio(limit)} may`;
  if (tried < minSamples)
    return { verdict: "pass", why: `${said}, which counts from ${minSamples} tried on`, ...figures };
  return { verdict: value > limit ? "fail" : "pass", why: said, ...figures };
}
