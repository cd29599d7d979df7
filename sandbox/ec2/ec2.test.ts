import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { openVmFleet } from "#libs/vms";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { startEc2 } from "./index.ts";

const accessKeyId = "AKIAIOSFODNN7EXAMPLE";
const group = { cluster: "east", namespace: "payments", name: "ledger" };
const tags = { "meshroll:group": "east/payments/ledger" };
const vm = { group, name: "i-0000000000000001a" };
const tag = { revision: "1-25-2", at: Date.UTC(2026, 0, 2) };

/** EC2 with one instance, and a process that listed it. */
async function openListed({ maxAttempts = 1, key = accessKeyId } = {}) {
  const ec2 = await startEc2({ accessKeyId });
  onTestFinished(async () => ec2.close());
  ec2.run({ id: vm.name, address: "10.0.0.1" }, tags);
  const clock = createVirtualClock();
  const warnings: string[] = [];
  const fleet = await openVmFleet({
    kind: "ec2",
    bucket: openFakeBus(createFakeBusServer()).bucket("vms"),
    cluster: "east",
    clock,
    log: { warn: (...words: readonly unknown[]) => void warnings.push(String(words.at(-1))) },
    ec2: {
      endpoint: ec2.url,
      region: "eu-central-1",
      credentials: { accessKeyId: key, secretAccessKey: "none" },
      maxAttempts,
    },
  });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  await fleet.start(() => undefined, stop.signal);
  const until = async (check: () => void, stepMs = 1000): Promise<void> =>
    vi.waitFor(
      async () => {
        await clock.advance(stepMs);
        check();
      },
      { timeout: 20_000, interval: 10 },
    );
  const countLists = (): number => ec2.calls.filter(({ action }) => action === "DescribeInstances").length;
  return { ec2, fleet, warnings, until, countLists };
}

describe("VMs on EC2", () => {
  it("both tags are written in one call, under keys that the instance's metadata service shows", async () => {
    const { ec2, fleet } = await openListed();
    expect(await fleet.setTag(vm, tag)).toEqual({ kind: "written" });
    const want = { ...tags, "meshroll-revision": "1-25-2", "meshroll-tagged-at": String(tag.at) };
    expect(Object.fromEntries(ec2.tags(vm.name))).toEqual(want);
    expect(ec2.calls.filter(({ action }) => action === "CreateTags")).toHaveLength(1);
  });

  it("a tag that EC2's lists show late stays in the list meanwhile", async () => {
    const { ec2, fleet, until, countLists } = await openListed();
    await until(() => expect(fleet.list().vms).toEqual([vm]));
    ec2.delayLists(3);
    await fleet.setTag(vm, tag);
    const before = countLists();
    const seen = new Set<string | undefined>();
    await until(() => {
      seen.add(fleet.list().vms[0]?.tag);
      expect(countLists()).toBeGreaterThan(before + 4);
    });
    expect([...seen]).toEqual(["1-25-2"]);
  });

  it("a tag that a person changes by hand counts from the next list on", async () => {
    const { ec2, fleet, until } = await openListed();
    await fleet.setTag(vm, tag);
    await until(() => expect(fleet.list().vms).toHaveLength(1), 20_000);
    ec2.tags(vm.name).set("meshroll-revision", "by-hand");
    await until(() => expect(fleet.list().vms[0]?.tag).toBe("by-hand"), 10_000);
  });

  it("a tag whose answer was lost is unavailable, and the next list shows it", async () => {
    const { ec2, fleet, until } = await openListed();
    ec2.fail("lost answer", "CreateTags");
    expect(await fleet.setTag(vm, tag)).toMatchObject({ kind: "unavailable" });
    await until(() => expect(fleet.list().vms[0]?.tag).toBe("1-25-2"));
  });

  it("throttling is waited for by the SDK", async () => {
    const { ec2, fleet, until } = await openListed({ maxAttempts: 3 });
    await until(() => expect(fleet.list().vms).toHaveLength(1));
    ec2.fail("throttled", "CreateTags");
    expect(await fleet.setTag(vm, tag)).toMatchObject({ kind: "unavailable" });
    const asked = ec2.calls.filter(({ code }) => code === "RequestLimitExceeded");
    expect(asked).toHaveLength(3);
  });

  it("stopped instances are shown as stopped, terminated ones are not there", async () => {
    const { ec2, fleet, until } = await openListed();
    ec2.run({ id: "i-0000000000000002b", address: "10.0.0.2" }, tags);
    ec2.setState(vm.name, "stopped");
    await until(() =>
      expect(fleet.list().vms).toEqual([
        { ...vm, stopped: true },
        { group, name: "i-0000000000000002b" },
      ]),
    );
    ec2.setState(vm.name, "terminated");
    await until(() => expect(fleet.list().vms).toEqual([{ group, name: "i-0000000000000002b" }]));
  });

  it("an instance whose group cannot be read is named, and is no VM", async () => {
    const { ec2, fleet, until } = await openListed();
    ec2.run({ id: "i-0000000000000003c", address: "10.0.0.3" }, { "meshroll:group": "east/ledger" });
    const want = "the tag meshroll:group is not east/NAMESPACE/GROUP of the instances i-0000000000000003c";
    await until(() => expect(fleet.list()).toMatchObject({ fresh: true, problems: [want], vms: [vm] }));
  });

  it("a right to list that is missing is said once in the log, and in the list, with what to do", async () => {
    const { ec2, fleet, until, warnings, countLists } = await openListed();
    await until(() => expect(fleet.list().fresh).toBe(true));
    ec2.fail("unauthorized", "DescribeInstances");
    const before = countLists();
    await until(() => expect(countLists()).toBeGreaterThan(before + 3), 10_000);
    await until(() => expect(fleet.list().fresh).toBe(false));
    expect(warnings).toEqual([expect.stringContaining("lacks the right ec2:DescribeInstances")]);
    expect(fleet.list().problems).toEqual([expect.stringContaining("docs/how-to/vms-on-ec2.md")]);
  });

  it("a wrong login is for a person", async () => {
    const { fleet } = await openListed({ key: "AKIAOTHER" });
    expect(await fleet.setTag(vm, tag)).toMatchObject({
      kind: "refused",
      why: expect.stringContaining("AuthFailure") as string,
    });
  });
});
