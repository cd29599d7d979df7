import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { makeWorkload } from "#fakes/fleet";
import { mostVmRows, readVmGroup } from "#libs/events";
import type { JudgedVm, VmState } from "#libs/fleet";
import { expect, test } from "vitest";

import { createVmPublisher } from "./publish-vms.ts";
import type { VmGroup } from "./vm-groups.ts";

const ref = { cluster: "one", namespace: "db", name: "ledger" };
const key = "groups.one.db/ledger";

function makeVm(name: string, state: VmState): JudgedVm {
  return { vm: { group: ref, name }, state };
}

function makeGroup(vms: readonly JudgedVm[]): VmGroup {
  const workload = makeWorkload({
    namespace: "db",
    kind: "WorkloadGroup",
    name: "ledger",
    labels: { "istio.io/rev": "new" },
  });
  return { workload, isWritten: true, vms };
}

function openBench() {
  const clock = createVirtualClock();
  const bucket = openFakeBus(createFakeBusServer()).bucket("vms");
  const log = { warn: () => undefined } as never;
  const publisher = createVmPublisher({ cluster: "one", bucket, clock, log });
  const read = async () => readVmGroup((await bucket.get(key))?.value ?? "");
  return { clock, bucket, publisher, read };
}

test("VMs that need attention come first, and of very many the number is told", async () => {
  const { publisher, read } = openBench();
  const many = Array.from({ length: mostVmRows }, (_, at) => makeVm(`vm-${at}`, "ready"));
  await publisher.publish([makeGroup([...many, makeVm("z", "failed"), makeVm("y", "unknown")])], new Map());
  const group = await read();
  expect([group?.vms.slice(0, 3).map(({ name }) => name), group?.vms.length, group?.more]).toEqual([
    ["z", "y", "vm-0"],
    mostVmRows,
    2,
  ]);
});

test("why the next VM waits is told in words, with its time", async () => {
  const { publisher, read } = openBench();
  const wait = { code: "Spread", until: "2026-11-29T12:00:00.000Z" } as const;
  await publisher.publish([makeGroup([makeVm("a", "outdated")])], new Map([["db/WorkloadGroup/ledger", wait]]));
  expect((await read())?.wait).toEqual({
    code: "Spread",
    message: "its VMs are spread over vms.deadline: the next one is due at 2026-11-29T12:00:00.000Z",
    until: "2026-11-29T12:00:00.000Z",
  });
});

test("what did not change is written again after twenty seconds, and a group that is gone is deleted", async () => {
  const { clock, publisher, read, bucket } = openBench();
  const groups = [makeGroup([makeVm("a", "ready")])];
  const times: (string | undefined)[] = [];
  for (const ms of [0, 19_000, 1000]) {
    await clock.advance(ms);
    await publisher.publish(groups, new Map());
    times.push((await read())?.at);
  }
  expect([times[1] === times[0], times[2] === times[0]]).toEqual([true, false]);
  await publisher.publish([], new Map());
  expect((await bucket.get(key))?.value).toBeUndefined();
  expect(await read()).toBeUndefined();
});

test("the key of a group that was deleted while no executor ran is deleted", async () => {
  const { bucket, publisher, read } = openBench();
  await bucket.put(key, JSON.stringify({ version: 1 }));
  await publisher.publish([], new Map());
  expect(await read()).toBeUndefined();
  expect((await bucket.get(key))?.value).toBeUndefined();
});
