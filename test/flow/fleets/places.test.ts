import { expect, test } from "vitest";

import type { WorkloadRef } from "#libs/fleet";
import type { FleetFlow } from "../fleet-flow.ts";
import { file, openShop, settingsOf, listMovedPaths } from "../shop.ts";

const names = ["a", "b", "c"];
const dbOf = (name: string): WorkloadRef => ({ namespace: `shop-${name}`, kind: "StatefulSet", name: "db" });
const onOld = { "istio.io/rev": "old" };
const oneByOne = "batchSize: 1, readinessTimeout: 5m";

/**
 * Namespaces with a StatefulSet of two pods each, which takes half a minute; the label is in the template or on the namespace.
 */
async function openSlow(where: "template" | "namespace", batch = oneByOne): Promise<FleetFlow> {
  const [own, labels] = where === "template" ? [{ labels: onOld }, {}] : [{}, { labels: onOld }];
  return openShop({
    names: [],
    settings: settingsOf(batch),
    prepare: (model) => {
      for (const name of names) {
        model.addNamespace(`shop-${name}`, labels);
        model.addStatefulSet({ ns: `shop-${name}`, name: "db", replicas: 2, readyMs: 30_000, ...own });
      }
    },
  });
}

const isWritten = (flow: FleetFlow, name: string): boolean =>
  listMovedPaths(flow).includes(`shop-${name}/statefulsets/db`);

/** Runs `happens` half a second after the first workload was written. */
async function interrupt(flow: FleetFlow, happens: (flow: FleetFlow) => void): Promise<void> {
  flow.whenMerged(file(100));
  await flow.until("the first is written", () => isWritten(flow, "a"));
  await flow.pass(500);
  happens(flow);
}

type OwnerChange = Parameters<ReturnType<FleetFlow["model"]>["ownerApply"]>[1];

interface Interruption {
  readonly where?: "namespace";
  readonly happens: (flow: FleetFlow) => void;
  /** Violations that the auditor reports of the interruption itself. */
  readonly planted?: readonly RegExp[];
}

const byOwner = (change: OwnerChange): Interruption => ({
  happens: (flow) => flow.model("one").ownerApply(dbOf("a"), change),
});

/** What happens to a workload after our write, so that the run gives it up or no longer knows it. */
const interruptions: Readonly<Record<string, Interruption>> = {
  "an operator strips our restart annotation": {
    where: "namespace",
    ...byOwner({ templateAnnotations: { "meshroll.dev/restarted-for": null } }),
  },
  "its owner deploys over it": byOwner({ templateLabels: onOld, image: "shop:2" }),
  "its owner pins it": byOwner({ annotations: { "meshroll.dev/pin": "old" } }),
  "our annotations are removed": byOwner({
    annotations: { "meshroll.dev/run": null, "meshroll.dev/previous": null },
  }),
  "its namespace is deleted": { happens: (flow) => flow.model("one").terminateNamespace("shop-a") },
  "its namespace is not managed any more": {
    happens: (flow) => {
      const rest = "[{ key: kubernetes.io/metadata.name, operator: NotIn, values: [shop-a] }]";
      flow.whenMerged(file(100), settingsOf(oneByOne, `namespaces: { selector: { matchExpressions: ${rest} } }\n`));
    },
  },
};

test.each(Object.entries(interruptions))("4.2 %s: a workload that still rolls keeps its place", async (_, each) => {
  const flow = await openSlow(each.where ?? "template");
  await interrupt(flow, each.happens);
  await flow.until("the second is written", () => isWritten(flow, "b"));
  const ready = flow
    .model("one")
    .podsOf(dbOf("a"))
    .filter((pod) => pod.ready);

  expect(ready).toHaveLength(2);
  await flow.end(each.planted);
});

test("4.7 a skipped workload that never settles gives up its place after readinessTimeout without progress", async () => {
  const flow = await openSlow("template", "batchSize: 1, readinessTimeout: 60s");
  flow.model("one").breakWorkload(dbOf("a"), { how: "neverReady", whenRevision: "new" });
  await interrupt(flow, (shop) => shop.model("one").terminateNamespace("shop-a"));
  const since = flow.clock.now();
  await flow.until("the second is written", () => isWritten(flow, "b"));

  expect(flow.clock.now() - since).toBeGreaterThan(50_000);
  expect(flow.clock.now() - since).toBeLessThan(100_000);
  await flow.end();
});
