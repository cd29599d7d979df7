import { describe, expect, it } from "vitest";

import { describeOutage, describeRolloutsRepository, type Outage, type RepositorySetup } from "./conformance.ts";
import { createFakeClone, createFakeRemote, type FakeClone, openFakeRepository } from "./fake.ts";

async function makeEnvironment(): Promise<RepositorySetup & Outage> {
  const remote = createFakeRemote();
  const clones = new Map<string, FakeClone>();
  return {
    remote,
    async open(name) {
      const clone = (name === undefined ? undefined : clones.get(name)) ?? createFakeClone();
      if (name !== undefined) clones.set(name, clone);
      return openFakeRepository(remote, { clone });
    },
    setUnavailable: (down) => remote.setUnavailable(down),
    hang: () => remote.hang(),
    close: async () => undefined,
  };
}

describeRolloutsRepository("the repository in memory", makeEnvironment);
describeOutage("the repository in memory", makeEnvironment);

describe("the fake remote", () => {
  it("gives the same ids to the same history", () => {
    const make = (): string => {
      const remote = createFakeRemote();
      remote.commitToMain({ files: { a: "1" } });
      return remote.commitToMain({ files: { a: "2" } });
    };
    expect(make()).toBe(make());
    expect(make()).toMatch(/^[0-9a-f]{40}$/);
  });

  it("merges changes of different files and refuses those of one file", () => {
    const remote = createFakeRemote();
    remote.commitToMain({ files: { a: "1", b: "1" } });
    remote.commitTo("same", { files: { a: "branch" } });
    remote.commitTo("other", { files: { b: "branch" } });
    remote.commitToMain({ files: { a: "main" } });
    expect(remote.conflicts("same")).toBe(true);
    expect(remote.mergeToMain({ branch: "same" })).toMatchObject({ kind: "conflict" });
    expect(remote.mergeToMain({ branch: "other" })).toMatchObject({ kind: "merged" });
    expect(remote.commit(remote.head("main") ?? "")?.tree.get("b")).toBe("branch");
    expect(remote.commit(remote.head("main") ?? "")?.tree.get("a")).toBe("main");
  });
});
