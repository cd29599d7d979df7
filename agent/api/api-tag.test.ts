import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { makeTestFolder, openQuickDisk } from "../test-vm.ts";
import { openApiTag } from "./api-tag.ts";

function openTag(folder = makeTestFolder()) {
  const path = join(folder, "api-tag.json");
  return { path, folder, tag: openApiTag(openQuickDisk(), path) };
}

describe("the tag that the api answered last", () => {
  it("is unknown before there was an answer, and changes nothing", async () => {
    expect(await openTag().tag.read()).toEqual({ kind: "unknown", why: "the api has not answered yet" });
  });

  it.each([
    { heard: "1-25-2", want: { kind: "revision", revision: "1-25-2" } },
    { heard: null, want: { kind: "unset" } },
  ])("$heard outlives a restart without a network", async ({ heard, want }) => {
    const { tag, folder } = openTag();
    await tag.hear(heard);
    expect(await tag.read()).toEqual(want);
    expect(await openTag(folder).tag.read()).toEqual(want);
  });

  it("the newest answer counts, also when it takes the tag away", async () => {
    const { tag, folder } = openTag();
    await tag.hear("1-24-5");
    await tag.hear("1-25-2");
    await tag.hear(null);
    expect(await openTag(folder).tag.read()).toEqual({ kind: "unset" });
  });

  it("an answer that is no revision is not followed, and not kept", async () => {
    const { tag, folder } = openTag();
    await tag.hear("1-24-5");
    await tag.hear("../../etc");
    expect(await tag.read()).toMatchObject({ kind: "unknown" });
    expect(await openTag(folder).tag.read()).toEqual({ kind: "revision", revision: "1-24-5" });
  });

  it.each(["{", "[]", '{"formatVersion":2,"tag":"1-24-5"}', '{"formatVersion":1,"tag":7}'])(
    "a file with %s is as none",
    async (text) => {
      const { tag, path } = openTag();
      writeFileSync(path, text);
      expect(await tag.read()).toMatchObject({ kind: "unknown" });
    },
  );

  it("is followed though the disk does not take it", async () => {
    const { tag, path } = openTag();
    mkdirSync(path);
    await expect(tag.hear("1-25-2")).rejects.toThrow("EISDIR");
    expect(await tag.read()).toEqual({ kind: "revision", revision: "1-25-2" });
  });

  it("is written only when it changed", async () => {
    const { tag, path } = openTag();
    await tag.hear("1-25-2");
    writeFileSync(path, "marked");
    await tag.hear("1-25-2");
    expect(readFileSync(path, "utf8")).toBe("marked");
  });
});
