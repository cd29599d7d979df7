import { type KubeModel } from "#fakes/kube";
import { expect, test } from "vitest";

import { sentenceOf } from "#test/world/words";
import { file, openShop, refOf, running } from "../shop.ts";

// What still waits for a stuck workload after ADR 27, and for how long.

const minute = 60_000;
const readinessTimeout = 5 * minute;
// The stuck workloads fail and the run continues.
const gates = "gates: [{ name: restarts, when: during, restartHealth: { maxFailureRatio: 1 } }]";
const batch = "batchSize: 2, delayBetweenBatches: 10s, readinessTimeout: 5m, failurePolicy: ContinueOnError";
type Ref = ReturnType<typeof refOf>;

const unitOf = (ns: string, count: number): readonly Ref[] =>
  Array.from({ length: count }, (_, index) => ({ namespace: ns, kind: "Deployment", name: `u${index}` }));

/** Adds a namespace whose own label decides. */
function addUnit(model: KubeModel, refs: readonly Ref[]): void {
  model.addNamespace(refs[0]?.namespace ?? "", { labels: { "istio.io/rev": "old" } });
  for (const { namespace: ns, name } of refs) model.addDeployment({ ns, name, replicas: 2, readyMs: 2000 });
}

const stuck = unitOf("a-unit", 12);
const others = [
  { name: "workloads with a label of their own", refs: ["u", "v", "w", "x"].map((name) => refOf(name)) },
  { name: "another such namespace", refs: unitOf("b-unit", 4) },
];

/**
 * Ms until the other workloads have arrived, next to a namespace that is handed out before them and gets ready on `new`, or
 * never does.
 */
async function playUnit(refs: readonly Ref[], isStuck: boolean) {
  const flow = await openShop({
    names: ["u", "v", "w", "x"],
    settings: `defaults:\n  strategy: Batched\n  batch: { ${batch} }\n  ${gates}\n`,
    readyMs: 2000,
    prepare: (model) => {
      addUnit(model, stuck);
      if (refs.some(({ namespace }) => namespace === "b-unit")) addUnit(model, refs);
      const isHurt = ({ namespace }: { readonly namespace: string }) => namespace === "a-unit" && isStuck;
      model.breakWorkload(isHurt, { how: "neverReady", whenRevision: "new" });
    },
  });
  const began = flow.clock.now();
  flow.whenMerged(file(100));
  await flow.until("the others arrived", () => refs.every((ref) => running(flow, ref).join() === "new"), 60 * minute);
  return { flow, took: flow.clock.now() - began };
}

test.each(others)(
  "5.2 a namespace that moves as a unit and never gets ready delays $name by at most one readinessTimeout, and fails as a unit",
  async ({ refs }) => {
    const undisturbed = await playUnit(refs, false);
    await undisturbed.flow.end();
    const { flow, took } = await playUnit(refs, true);
    expect(took - undisturbed.took).toBeLessThanOrEqual(readinessTimeout);
    const [run] = await flow.untilRunsEnd(1);
    const ofUnit = run?.outcome?.skipped.filter(({ workload }) => workload.startsWith("a-unit/")) ?? [];
    expect(ofUnit.map((each) => /its namespace failed as one/u.test(sentenceOf(each)))).toEqual(stuck.map(() => true));
    await flow.until("nothing of it is left on new", () => stuck.every((ref) => running(flow, ref).join() === "old"));
    await flow.end();
  },
);
