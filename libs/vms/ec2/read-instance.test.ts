import { describe, expect, it } from "vitest";

import type { Ec2Instance } from "./ec2-calls.ts";
import { correctAddress, printTags, readInstance } from "./read-instance.ts";

function make(tags: Readonly<Record<string, string>>, fields: Partial<Ec2Instance> = {}): Ec2Instance {
  const group = { "meshroll:group": "east/payments/ledger" };
  const all = new Map(Object.entries({ ...group, ...tags }));
  return { id: "i-0abc", state: "running", addresses: ["10.0.0.1", "10.0.1.1"], tags: all, ...fields };
}

const vm = { group: { cluster: "east", namespace: "payments", name: "ledger" }, name: "i-0abc" };

describe("readInstance", () => {
  const written = Object.fromEntries(printTags({ revision: "1-25-2", at: 1_770_000_000_000 }));
  const cases = [
    { name: "without a tag", instance: make({}), want: vm },
    { name: "what we wrote", instance: make(written), want: { ...vm, tag: "1-25-2", taggedAt: 1_770_000_000_000 } },
    {
      name: "a revision that a person set",
      instance: make({ "meshroll-revision": "1-25-2" }),
      want: { ...vm, tag: "1-25-2" },
    },
    {
      name: "a time that is none",
      instance: make({ ...written, "meshroll-tagged-at": "now" }),
      want: { ...vm, tag: "1-25-2" },
    },
    { name: "a revision that is none", instance: make({ "meshroll-revision": "" }), want: vm },
    { name: "pending", instance: make({}, { state: "pending" }), want: vm },
    { name: "stopping", instance: make({}, { state: "stopping" }), want: { ...vm, stopped: true } },
    { name: "shutting down", instance: make({}, { state: "shutting-down" }), want: { ...vm, stopped: true } },
    { name: "a group without a namespace", instance: make({ "meshroll:group": "east/ledger" }), want: undefined },
    { name: "a group of four parts", instance: make({ "meshroll:group": "east/a/b/c" }), want: undefined },
    { name: "a group that is no name", instance: make({ "meshroll:group": "east/a/B" }), want: undefined },
  ];
  it.each(cases)("$name", ({ instance, want }) => {
    expect(readInstance(instance)).toEqual(want);
  });
});

describe("correctAddress", () => {
  const report = {
    at: "2026-01-01T00:00:00Z",
    agent: "0.1.0",
    address: "10.0.0.1",
    tag: null,
    revision: null,
    attempted: null,
    inProgress: false,
    ready: true,
    code: "UpToDate",
    message: "",
  };
  const cases = [
    { name: "its first address", address: "10.0.0.1", want: "10.0.0.1" },
    { name: "that of a second interface", address: "10.0.1.1", want: "10.0.1.1" },
    { name: "that of another VM", address: "10.0.0.2", want: "10.0.0.1" },
  ];
  it.each(cases)("$name", ({ address, want }) => {
    expect(correctAddress({ ...report, address }, make({})).address).toBe(want);
  });
  it("an instance that has no address yet", () => {
    expect(correctAddress(report, make({}, { addresses: [] }))).toEqual(report);
  });
});
