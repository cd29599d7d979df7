import { compileRollouts, parseRollouts } from "#libs/spec";

import type { DemoWorld } from "./start-world.ts";

/** Breaks one healthy workload that the merged change will move: its pods never get ready on the new revision. */
export function plantBadWorkload(world: DemoWorld, rollouts: string): string {
  const parsed = parseRollouts(rollouts, "rollouts.yml");
  if (!parsed.ok) throw new Error("bug: the proposed file does not parse");
  const resolver = compileRollouts(parsed.value, "");
  const { model, managed, broken } = world.fleet;
  const bad = managed.find(
    (ref) =>
      ref.kind === "Deployment" &&
      !broken.includes(ref) &&
      resolver.resolve(ref.namespace).revision === "1-25-2" &&
      model.podsOf(ref).every((pod) => pod.revision === "1-24-5"),
  );
  if (bad === undefined) throw new Error("bug: the change moves nobody");
  model.breakWorkload(bad, { how: "neverReady", whenRevision: "1-25-2" });
  return `${bad.namespace}/${bad.kind}/${bad.name}`;
}
