import { printNotifications, readNotifications } from "#libs/events";
import type { Decision } from "#libs/plan";
import { makeCluster, makeWorkload, noon } from "#test/world/build";
import { expect, test } from "vitest";

import { describeWaits, restoreWaits } from "./remember-waits.ts";
import { noWaits, updateWaits, type WaitMemory } from "./update-waits.ts";

const away = makeCluster("one", [makeWorkload("shop/a")], { fresh: false });
const wait: Decision = {
  kind: "wait",
  scope: "run/aaaaaaaaaaaa@one",
  reason: { code: "RevisionMissing", cluster: "one", revision: "new" },
};

function reconcile(memory: WaitMemory, real: number, decisions: readonly Decision[], clusters = [away]) {
  const snapshot = { clusters: new Map(clusters.map((each) => [each.name, each])), ledger: undefined };
  const told = updateWaits(memory, { now: noon + real, real, snapshot, decisions });
  return { ...told, types: told.events.map(({ type }) => type) };
}

/** The memory as the next planner restores it, at its own real time. */
function restart(memory: WaitMemory, real: number): WaitMemory {
  const read = readNotifications(printNotifications(describeWaits(memory)));
  if (read === undefined) throw new Error("it cannot be read back");
  return restoreWaits(read, real);
}

const begun = reconcile(reconcile(noWaits, 0, [wait]).memory, 30_000, [wait]);

test("a wait that was published before a restart is not published again while it lasts", () => {
  const again = restart(begun.memory, 5);
  const [first, second] = [reconcile(again, 5, [wait]), reconcile(reconcile(again, 5, [wait]).memory, 60_000, [wait])];
  expect(begun.types).toEqual(["wait.v1.began", "cluster.v1.unreachable"]);
  expect([...first.types, ...second.types]).toEqual([]);
});

test("a wait that began before a restart is published with the same id as without the restart", () => {
  const again = restart(reconcile(noWaits, 0, [wait]).memory, 5);
  const told = reconcile(reconcile(again, 5, [wait]).memory, 30_005, [wait]);
  expect(told.events.map(({ id }) => id)).toEqual(begun.events.map(({ id }) => id));
});

test("a wait counts as over only when a restarted planner has not found it for half a minute", () => {
  const again = restart(begun.memory, 0);
  const early = reconcile(again, 1000, [], []);
  const late = reconcile(early.memory, 30_000, [], []);
  expect([early.types, late.types]).toEqual([[], ["wait.v1.ended", "cluster.v1.seen"]]);
});

test("a cluster that is seen again is reported at once", () => {
  const back = reconcile(restart(begun.memory, 0), 1000, [wait], [{ ...away, fresh: true }]);
  expect(back.types).toEqual(["cluster.v1.seen"]);
});
