import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { readNotifyFacts } from "#libs/events";
import { makeLedger, makeRun, makeSnapshot, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { createNotifyPublisher, describeNotify } from "./publish-notify.ts";

test("who is notified of what follows main's files, and is written again after a wipe", async () => {
  const github = { dashboardIssue: true, deployments: false, labels: ["mesh"] };
  const notify = { slack: { channel: "#mesh", broadcast: ["failed"] as const }, github };
  const run = makeRun(sha("head"), sha("base"), { campaign: "c", stage: "s" });
  const ledger = makeLedger({ runs: { [run.id]: run } });
  const snapshot = makeSnapshot({ settings: { notify }, ledger });
  const [clock, server] = [createVirtualClock(), createFakeBusServer()];
  const bucket = openFakeBus(server).bucket("status");
  const publish = createNotifyPublisher(bucket, clock);
  await publish(snapshot);
  const read = async () => readNotifyFacts((await bucket.get("notify"))?.value ?? "");
  const want = {
    version: 1,
    fleet: notify,
    campaigns: {},
    runs: { [run.id]: { campaign: "c", stage: "s" } },
  };
  expect(await read()).toEqual(want);
  await bucket.delete("notify");
  await publish(snapshot);
  expect(await read()).toBe(undefined);
  await clock.advance(11_000);
  await publish(snapshot);
  expect(await read()).toEqual(want);
});

test("while no file of main is known nothing is published", () => {
  expect(describeNotify({ ...makeSnapshot(), specs: new Map() })).toBe(undefined);
});

test.each(["", "{", "{}", '{"version":2}'])("a value that is not ours reads as unknown: %j", (text) => {
  expect(readNotifyFacts(text)).toBe(undefined);
});
