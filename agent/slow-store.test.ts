import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { type ArtifactStore, openStore, StoreUnavailable } from "#libs/artifact";
import { expect, it } from "vitest";

import { readCurrent } from "./slots/slots.ts";
import { makeStore, makeTestFolder, makeVm, openQuickDisk } from "./test-vm.ts";

/** A store that sends half of a file, and then nothing until the reader gives up. */
function openSlow(folder: string): { readonly store: ArtifactStore; readonly asked: string[] } {
  const store = openStore(folder);
  const asked: string[] = [];
  async function* trickle(path: string, offset: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    for await (const chunk of await store.read(path, offset)) {
      yield chunk.subarray(0, Math.ceil(chunk.byteLength / 2));
      if (offset > 0) yield chunk.subarray(Math.ceil(chunk.byteLength / 2));
      // On a busy machine its time may be over already.
      else if (signal?.aborted === false) await new Promise((resolve) => signal.addEventListener("abort", resolve));
      if (signal?.aborted === true) throw new StoreUnavailable("the transfer broke");
    }
  }
  return {
    asked,
    store: {
      address: folder,
      async read(path, offset, signal) {
        asked.push(`${path.replace(/[0-9a-f]{60}/, "")} ${offset > 0 ? "goes on" : "begins"}`);
        return trickle(path, offset, signal);
      },
    },
  };
}

it("a store that is slow at each file blocks no turn, keeps no proxy down, and is fetched from in the end", async () => {
  const base = makeTestFolder();
  const store = makeStore(base);
  const [old, next] = [store.publish("1-24-5"), store.publish("1-25-2")];
  const root = join(base, "vm");
  mkdirSync(root);
  const vm = makeVm(root, store);
  vm.tag = "1-24-5";
  await vm.settle(vm.start());

  const { store: slow, asked } = openSlow(store.folder);
  const agent = vm.start(openQuickDisk(), slow, 100);
  vm.proxies.endAll();
  vm.boot = "boot-2";
  vm.tag = "1-25-2";
  const done: string[] = [];
  for (let turn = 0; turn < 3; turn += 1) done.push((await agent.turn()).step?.do ?? "");
  expect(done).toEqual(["restart", "stage", "stage"]);
  expect(vm.proxies.launched.at(-1)).toMatchObject({ digest: old });

  expect((await vm.settle(agent, 200))?.reason.code).toBe("UpToDate");
  expect(await readCurrent(openQuickDisk(), vm.places)).toBe(next);
  // No file is fetched from its beginning twice: the bytes of an interrupted turn are kept.
  const begun = asked.filter((each) => each.endsWith("begins"));
  expect(new Set(begun).size).toBe(begun.length);
});
