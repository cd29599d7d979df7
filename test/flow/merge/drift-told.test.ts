import { expect, test } from "vitest";

import { printStatus } from "../../../cli/show/status/print-status.ts";
import { renderDashboard } from "../../../services/notifier/render/github/dashboard.ts";
import { tellAnswers } from "#libs/plan";
import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, refOf, running, settingsOf } from "../shop.ts";

const settings = settingsOf("batchSize: 2");
const reading = { terminal: { env: {} }, tz: "UTC", width: 400 };
const onOld = { "istio.io/rev": "old" };

async function openDone(own = settings): Promise<FleetFlow> {
  const flow = await openShop({ settings: own });
  flow.whenMerged(file(100), own);
  await flow.untilRunsEnd(1);
  return flow;
}

async function readScreens(flow: FleetFlow) {
  const status = await flow.status();
  if (status === undefined) throw new Error("no status");
  return { status, terminal: printStatus(status, tellAnswers(status), reading), dashboard: renderDashboard(status) };
}

/** As `kubectl rollout undo`: the template and the annotations of the older ReplicaSet, which has none of ours. */
function undoRollout(flow: FleetFlow, name: string): void {
  const ours = ["run", "previous", "arrived"].map((key) => [`meshroll.dev/${key}`, null]);
  const change = { templateLabels: onOld, annotations: Object.fromEntries(ours) as Record<string, null> };
  flow.model("one").ownerApply(refOf(name), change, { manager: "kubectl" });
}

test("after a done run `kubectl apply` and `rollout undo` are told as what they are, with names and what ends them", async () => {
  const flow = await openDone();
  const byKubectl = { manager: "kubectl-client-side-apply" };
  for (const name of ["a", "b"])
    flow.model("one").ownerApply(refOf(name), { image: "registry.example/web:2", templateLabels: onOld }, byKubectl);
  undoRollout(flow, "c");
  await flow.pass(60_000);
  const { status, terminal, dashboard } = await readScreens(flow);

  expect(status.putBack).toMatchObject({
    workloads: 2,
    list: "meshroll get drift",
    managers: [{ manager: "kubectl-client-side-apply", end: expect.stringContaining("meshroll mutate") as string }],
  });
  expect(status.unmoved).toMatchObject({ workloads: 1, command: 'meshroll converge all --reason "…"' });
  for (const text of [terminal, dashboard]) {
    expect(text).toContain("2 workloads were put back by their owners' deploys since run ");
    expect(text).toContain("meshroll get drift");
    expect(text).toContain(
      "what stops kubectl-client-side-apply from putting the label back: a manifest that names the revision:",
    );
    expect(text).toContain("1 workload differs from main, and no run moves it");
  }
  await flow.whenAsked({ verb: "converge", scope: "all" });
  await flow.until("all are back", () => countOn(flow, "new") === 6);
  await flow.pass(60_000);

  expect(await flow.status()).not.toHaveProperty("unmoved");
  expect(await flow.status()).not.toHaveProperty("putBack");
  expect(running(flow, refOf("c"))).toEqual(["new"]);
  await flow.end();
});

test("with drift: converge a rollout undo is moved once, and one that comes again within a day is named and left alone", async () => {
  const flow = await openDone(settingsOf("batchSize: 2", "  drift: converge\n"));
  undoRollout(flow, "c");
  await flow.until("it is back", () => running(flow, refOf("c")).join() === "new");
  await flow.pass(60_000);
  undoRollout(flow, "c");
  await flow.pass(600_000);

  expect(running(flow, refOf("c"))).toEqual(["old"]);
  expect((await flow.status())?.unmoved?.insists).toBe(
    "1 of them was reverted within a day after drift: converge, by kubectl: not moved again that day",
  );
  await flow.end();
});
