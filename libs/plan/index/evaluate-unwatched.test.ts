import type { Snapshot } from "#libs/plan";
import { printText } from "#libs/wording";
import { noon } from "#test/world/build";
import { makeInstant } from "#test/world/campaigns/campaign-instant";
import { expect, test } from "vitest";

import { listFleetSkipped } from "../status/skipped/list-skipped.ts";
import { evaluateUnwatched } from "./evaluate-unwatched.ts";

const minute = 60_000;

/** One open wave of a run, with a budget that has allowed no disruption for this long, by its API server's clock. */
function block(ms: number, serverNow: number | undefined): Snapshot {
  const snapshot = makeInstant({ progress: (cluster) => (cluster === "stage-use1" ? "pending" : "migrated") });
  const clusters = [...snapshot.clusters].map(([name, cluster]) => {
    const namespaces = [...cluster.namespaces].map(([namespace, inventory]) => {
      const workloads = inventory.workloads.map((each) =>
        namespace === "team-006" ? { ...each, disruptionsAllowed: 0, noDisruptionSince: noon - ms } : each,
      );
      return [namespace, { ...inventory, workloads }] as const;
    });
    const clock = serverNow === undefined ? {} : { serverNow };
    return [name, { ...cluster, ...clock, namespaces: new Map(namespaces) }] as const;
  });
  return { ...snapshot, clusters: new Map(clusters) };
}

const cases: readonly {
  readonly name: string;
  readonly ms: number;
  readonly serverNow?: number;
  readonly want: readonly string[];
}[] = [
  {
    name: "for longer than readinessTimeout: skipped",
    ms: 12 * minute,
    serverNow: noon,
    want: ["stage-use1:team-006/Deployment/api  its PodDisruptionBudget allows no disruption, for too long"],
  },
  { name: "for less than readinessTimeout: it waits", ms: 8 * minute, serverNow: noon, want: [] },
  { name: "for longer than readinessTimeout, in a cluster without a time: it waits", ms: 12 * minute, want: [] },
];

test.each(cases)("a budget allows no disruption $name", ({ ms, serverNow, want }) => {
  const given = block(ms, serverNow);
  const head = given.specs.get(given.main.head);
  if (head === undefined) throw new Error("main does not parse");
  const { snapshot, evaluation } = evaluateUnwatched(given, head);
  const left = listFleetSkipped(evaluation, snapshot).map(({ render }) => render());
  expect(left.map(({ workload, message }) => `${workload}  ${printText(message)}`)).toEqual(want);
});
