import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { type ArtifactStore, openStore, StoreUnavailable } from "#libs/artifact";
import { describe, expect, it } from "vitest";

import { isSlotWhole, readCurrent } from "./slots/slots.ts";
import { makeStore, makeTestFolder, makeVm, openQuickDisk, rememberOffers, type TestVm } from "./test-vm.ts";

const [a, b, c] = ["1-24-5", "1-25-2", "1-26-0"];

/** A store whose every second file breaks off in its middle, as an interrupted download does. */
function openBreaking(folder: string): ArtifactStore {
  const store = openStore(folder);
  let reads = 0;
  async function* cut(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      yield chunk.subarray(0, Math.ceil(chunk.byteLength / 2));
      throw new StoreUnavailable("the transfer broke");
    }
  }
  return {
    address: folder,
    async read(path, offset, signal) {
      reads += 1;
      const chunks = await store.read(path, offset, signal);
      return reads % 2 === 1 && path.startsWith("files/") ? cut(chunks) : chunks;
    },
  };
}

/** The live tree, which must be whole at each moment. */
async function readTree(vm: TestVm): Promise<string> {
  const disk = openQuickDisk();
  const live = (await readCurrent(disk, vm.places)) ?? "";
  expect(await isSlotWhole(disk, vm.places, live)).toBe(true);
  return live;
}

async function openFlips() {
  const base = makeTestFolder();
  const store = makeStore(base);
  const digests = new Map([a, b, c].map((revision) => [revision, store.publish(revision)]));
  mkdirSync(join(base, "vm"));
  const vm = makeVm(join(base, "vm"), store, rememberOffers(store.folder));
  const agent = vm.start(openQuickDisk(), openBreaking(store.folder));
  vm.tag = a;
  await vm.settle(agent, 200);
  return { vm, agent, digests };
}

describe("a tag that changes while its revision is installed", () => {
  // The turns from one change of the tag to the next reach from the first byte of a download into the trial.
  it.each([1, 2, 3, 4, 5, 6, 8, 10, 12, 15])(
    "%i turns apart, A, B, A and C: the last one runs in the end, and each tree on the way is whole",
    async (turns) => {
      const { vm, agent, digests } = await openFlips();
      for (const tag of [b, a, c]) {
        vm.tag = tag;
        for (let turn = 0; turn < turns; turn += 1) {
          await vm.settle(agent, 1);
          expect([...digests.values()]).toContain(await readTree(vm));
        }
      }
      expect(await vm.settle(agent, 300)).toMatchObject({
        revision: c,
        tag: c,
        reason: { code: "UpToDate" },
        ready: true,
      });
      expect(await readTree(vm)).toBe(digests.get(c));
      expect(vm.rules.at(-1)).toMatchObject({ verb: "up", slot: digests.get(c) });
    },
  );

  it("ends a trial before it follows the tag elsewhere, also one that fails", async () => {
    const { vm, agent, digests } = await openFlips();
    vm.proxies.unready.add(digests.get(b) ?? "");
    vm.tag = b;
    while ((await readTree(vm)) !== digests.get(b)) await vm.settle(agent, 1);
    vm.tag = a;
    await vm.settle(agent, 2);
    vm.tag = c;
    expect(await vm.settle(agent, 300)).toMatchObject({ revision: c, reason: { code: "UpToDate" } });
    expect(vm.proxies.launched.map(({ revision }) => revision)).toEqual([a, b, a, c]);
  });
});

describe("an agent that is cut off", () => {
  it("goes on running what runs while the store is away, starts its proxy again, and follows the tag afterwards", async () => {
    const { vm, digests } = await openFlips();
    const away = { address: "away", read: async () => Promise.reject(new StoreUnavailable("no route to host")) };
    const offline = vm.start(openQuickDisk(), away);
    vm.offline = true;
    vm.tag = b;
    vm.proxies.endAll();
    vm.boot = "boot-2";
    expect(await vm.settle(offline, 60)).toMatchObject({
      revision: a,
      tag: b,
      reason: { code: "StoreUnavailable" },
      ready: true,
    });
    expect(await readTree(vm)).toBe(digests.get(a));
    vm.offline = false;
    expect(await vm.settle(vm.start(), 200)).toMatchObject({ revision: b, reason: { code: "UpToDate" } });
  });

  it("keeps the old revision when the disk is full in the middle of a file, and goes on once there is room", async () => {
    const { vm, digests } = await openFlips();
    const disk = openQuickDisk();
    let room = 300;
    const full = vm.start({
      ...disk,
      async append(path) {
        const writer = await disk.append(path);
        return {
          ...writer,
          async write(chunk) {
            await writer.write(chunk.subarray(0, room));
            if (chunk.byteLength > room) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
            room -= chunk.byteLength;
          },
        };
      },
    });
    vm.tag = b;
    expect(await vm.settle(full, 30)).toMatchObject({ revision: a, reason: { code: "DiskFault" } });
    expect(await readTree(vm)).toBe(digests.get(a));
    room = Number.POSITIVE_INFINITY;
    expect(await vm.settle(full, 200)).toMatchObject({ revision: b, reason: { code: "UpToDate" } });
    expect(await readTree(vm)).toBe(digests.get(b));
  });
});
