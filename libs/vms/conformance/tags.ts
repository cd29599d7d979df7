import { expect, it } from "vitest";

import { makeVm, openFresh, report, type VmBench, waitForList } from "./bench.ts";

const tag = { revision: "1-25-2", at: Date.UTC(2026, 0, 2) };
const tagged = { tag: tag.revision, taggedAt: tag.at };

/** Setting tags. */
export function describeTags(make: () => Promise<VmBench>): void {
  it("a tag that was set is in the list at once, and other processes read it", async () => {
    const bench = await make();
    const vm = makeVm(bench, 1);
    await bench.add([vm], report);
    const fleet = await openFresh(bench);
    expect(await fleet.setTag(vm, tag)).toEqual({ kind: "written" });
    expect(fleet.list().vms).toContainEqual({ ...vm, ...tagged, report });
    const other = await openFresh(bench);
    await waitForList(bench, other, ({ vms }) => expect(vms).toContainEqual({ ...vm, ...tagged, report }));
  });

  it("the last of several tags counts, and stays", async () => {
    const bench = await make();
    const vm = makeVm(bench, 1);
    await bench.add([vm], report);
    const fleet = await openFresh(bench);
    for (const revision of ["a", "b", "c"]) await fleet.setTag(vm, { revision, at: tag.at });
    for (let turn = 0; turn < 30; turn += 1) {
      expect(fleet.list().vms[0]?.tag).toBe("c");
      await bench.pass(3000);
    }
  });

  it("a tag that another process changes is read", async () => {
    const bench = await make();
    const vm = makeVm(bench, 1);
    await bench.add([vm], report);
    const [fleet, other] = [await openFresh(bench), await openFresh(bench)];
    await fleet.setTag(vm, tag);
    await other.setTag(vm, { revision: "1-26-0", at: tag.at + 1 });
    await waitForList(bench, fleet, ({ vms }) => expect(vms[0]?.tag).toBe("1-26-0"), 5000);
  });

  it("a VM that is gone gets no tag, and the answer says so", async () => {
    const bench = await make();
    const [vm, other] = [makeVm(bench, 1), makeVm(bench, 2)];
    await bench.add([vm, other], report);
    const fleet = await openFresh(bench);
    await waitForList(bench, fleet, ({ vms }) => expect(vms).toHaveLength(2));
    await bench.end(vm);
    await waitForList(bench, fleet, ({ vms }) => expect(vms).toHaveLength(1));
    expect(await fleet.setTag(vm, tag)).toEqual({ kind: "gone" });
    expect(fleet.list().vms.map(({ name }) => name)).toEqual([bench.name(2)]);
  });

  it("a missing right is refused, with what is missing, and the list stays as it was", async () => {
    const bench = await make();
    const vm = makeVm(bench, 1);
    await bench.add([vm], report);
    const fleet = await openFresh(bench);
    await waitForList(bench, fleet, ({ vms }) => expect(vms).toHaveLength(1));
    await bench.refuse();
    expect(await fleet.setTag(vm, tag)).toEqual({ kind: "refused", why: expect.stringMatching(/./) as string });
    expect(fleet.list().vms).toEqual([{ ...vm, report }]);
  });
}
