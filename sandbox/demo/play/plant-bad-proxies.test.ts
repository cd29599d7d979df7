import { expect, test } from "vitest";

import { createStepClock } from "#fakes/kube";
import { compileRollouts, editShares, parseRollouts } from "#libs/rollouts";
import { createFleet } from "#sandbox/fleet";

import { demoRollouts } from "../world/files.ts";
import { plantBadProxies } from "./plant-bad-proxies.ts";

function openResolver(text: string) {
  const parsed = parseRollouts(text, "rollouts.yml");
  if (!parsed.ok) throw new Error("the file does not parse");
  return compileRollouts(parsed.value, "");
}

/** The file of the stage that fails: a quarter of production. */
function mergedRollouts(): string {
  const shares = [
    { revision: "1-24-5", weight: 75 },
    { revision: "1-25-2", weight: 25 },
  ];
  const edited = editShares(demoRollouts, [{ pattern: "production", shares }]);
  if (!edited.ok) throw new Error("the demo's file cannot be edited");
  return edited.text;
}

test("new proxies of one cluster never become ready until the fix, but the first ones; running pods stay", () => {
  const clock = createStepClock();
  const [before, after] = [openResolver(demoRollouts), openResolver(mergedRollouts())];
  const revisionOf = (name: string): string => before.resolve(name).revision;
  const fleet = createFleet({
    clock,
    seed: "demo",
    namespaces: 300,
    revisionOf,
    revisions: ["1-24-5", "1-25-2"],
    brokenOneIn: 100_000,
  });
  const fault = plantBadProxies(fleet, mergedRollouts());
  const hit = fleet.find(({ name }) => name === fault.cluster);
  if (hit === undefined) throw new Error("there is no such cluster");
  const everyReady = (refs: typeof hit.managed): boolean =>
    refs.every((ref) => hit.model.podsOf(ref).every(({ ready }) => ready));
  clock.advance(600_000);
  expect(everyReady(hit.managed)).toBe(true);

  const moved = hit.managed.filter(({ namespace }) => revisionOf(namespace) !== after.resolve(namespace).revision);
  expect(moved.length).toBeGreaterThan(0);
  for (const ref of moved) hit.model.ownerApply(ref, { templateLabels: { "istio.io/rev": "1-25-2" } });
  clock.advance(600_000);
  const isStuck = (ref: (typeof moved)[number]) => hit.model.podsOf(ref).some(({ ready }) => !ready);
  const sites = moved.filter((ref) => hit.model.podsOf(ref).some(({ revision }) => revision === "1-25-2"));
  expect(sites.length).toBeGreaterThan(0);
  const good = sites.filter((ref) => !isStuck(ref));
  expect(good.length / sites.length).toBeGreaterThan(0.5);
  expect(good.length / sites.length).toBeLessThan(0.8);
  fault.fix();
  clock.advance(600_000);
  expect(everyReady(moved)).toBe(true);
});
