import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { makeTestFolder, openQuickDisk } from "../test-vm.ts";
import { openCredentialFile } from "./credential-file.ts";

function openFiles(folder = makeTestFolder()) {
  const [path, joinToken] = ["credential.json", "join-token"].map((name) => join(folder, name)) as [string, string];
  return { folder, path, joinToken, files: openCredentialFile(openQuickDisk(), path, joinToken) };
}

describe("the credential of a VM", () => {
  it("outlives a restart, and only its owner may read it", async () => {
    const { files, folder, path } = openFiles();
    await files.write("vm-1", "the-credential");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await openFiles(folder).files.read("vm-1")).toBe("the-credential");
  });

  it("is none for a VM of another name, as after its name was changed", async () => {
    const { files, folder } = openFiles();
    await files.write("vm-1", "the-credential");
    expect(await files.read("vm-2")).toBe(undefined);
    expect(await openFiles(folder).files.read("vm-2")).toBe(undefined);
  });

  it.each(["", "{", '{"formatVersion":1,"name":"vm-1","credential":""}'])("a file with %s is as none", async (text) => {
    const { files, path } = openFiles();
    writeFileSync(path, text);
    expect(await files.read("vm-1")).toBe(undefined);
    await files.write("vm-1", "next");
    expect(readFileSync(path, "utf8")).toContain("next");
  });

  it.each([
    { name: "without a file", text: undefined, want: undefined },
    { name: "an empty one", text: "\n", want: undefined },
    { name: "one with a token", text: "meshroll-join.a.b\n", want: "meshroll-join.a.b" },
  ])("the join token of $name is $want", async ({ text, want }) => {
    const { files, joinToken } = openFiles();
    if (text !== undefined) writeFileSync(joinToken, text);
    expect(await files.readJoinToken()).toBe(want);
  });
});
