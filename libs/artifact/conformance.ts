import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NotInStore } from "./errors.ts";
import type { ArtifactStore } from "./port.ts";

/** A store with files that the suite chooses. */
export interface StoreState {
  readonly store: ArtifactStore;
  plant(path: string, bytes: Uint8Array): void;
  close(): Promise<void>;
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** What every `ArtifactStore` must do. */
export function describeStore(name: string, make: () => Promise<StoreState>): void {
  describe(name, () => {
    let environment: StoreState;
    beforeEach(async () => {
      environment = await make();
    });
    afterEach(async () => environment.close());
    const read = async (path: string, offset = 0) => collect(await environment.store.read(path, offset));

    it("answers a file's bytes", async () => {
      const bytes = Buffer.alloc(300_000, "meshroll");
      environment.plant("files/abc", bytes);
      expect((await read("files/abc")).equals(bytes)).toBe(true);
    });

    it("answers an empty file", async () => {
      environment.plant("files/empty", new Uint8Array());
      expect(await read("files/empty")).toHaveLength(0);
    });

    it.each([
      { offset: 4, want: "roll" },
      { offset: 8, want: "" },
      { offset: 9, want: "" },
    ])("goes on from byte $offset", async ({ offset, want }) => {
      environment.plant("metadata/1.root.json", Buffer.from("meshroll"));
      expect((await read("metadata/1.root.json", offset)).toString()).toBe(want);
    });

    it("says which file it does not have", async () => {
      await expect(environment.store.read("files/none", 0)).rejects.toThrow(NotInStore);
      await expect(environment.store.read("files/none", 0)).rejects.toThrow("files/none");
    });

    it.each([
      "../secret",
      "files/../../secret",
      "/etc/passwd",
      "",
      "files//x",
      "files/.hidden",
      "files/a\0b",
      "files/..",
      "a?b=c",
      "a#b",
    ])("reads nothing for the path %j", async (path) => {
      await expect(environment.store.read(path, 0)).rejects.toThrow(NotInStore);
    });
  });
}
