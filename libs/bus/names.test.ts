import { describe, expect, it } from "vitest";

import { describeAddress, parseAddress } from "./address.ts";
import { bucketNames, matchesSubject, nameBus } from "./names.ts";

describe("subjects match as in NATS", () => {
  const cases = [
    { pattern: "a.b", subject: "a.b", want: true },
    { pattern: "a.b", subject: "a.b.c", want: false },
    { pattern: "a.b.c", subject: "a.b", want: false },
    { pattern: "a.*", subject: "a.b", want: true },
    { pattern: "a.*", subject: "a.b.c", want: false },
    { pattern: "*.b", subject: "a.b", want: true },
    { pattern: "a.>", subject: "a.b.c", want: true },
    { pattern: "a.>", subject: "a", want: false },
    { pattern: ">", subject: "a", want: true },
  ];
  it.each(cases)("$pattern and $subject: $want", ({ pattern, subject, want }) => {
    expect(matchesSubject(pattern, subject)).toBe(want);
  });
});

describe("the address of a bus", () => {
  const cases = [
    { url: "nats://127.0.0.1:4222", want: { servers: ["127.0.0.1:4222"] } },
    { url: "bus:4222", want: { servers: ["bus:4222"] } },
    { url: "nats://a:1, nats://b:2", want: { servers: ["a:1", "b:2"] } },
    {
      url: "nats://me:p%40ss@a:1",
      want: { servers: ["a:1"], user: "me", pass: "p@ss", inboxPrefix: "_INBOX_me" },
    },
    { url: "nats://token@a:1", want: { servers: ["a:1"], token: "token" } },
    { url: "tls://a:1", want: { servers: ["a:1"], tls: {} } },
  ];
  it.each(cases)("$url", ({ url, want }) => expect(parseAddress(url)).toEqual(want));

  it("is shown without the login", () => expect(describeAddress("nats://me:pw@a:1,nats://b:2")).toBe("a:1, b:2"));
});

describe("no two installations have a name in common", () => {
  const [one, other] = [nameBus("aaaaaaaaaaaa"), nameBus("aaaaaaaaaaab")];
  const subjects = ["meshroll.v1.run.v1.done", "meshroll.v1.>", "meshroll.v1.hint.v1.github"];

  it.each(subjects)("%s has other subjects", (subject) => {
    for (const wire of [one.toPublished(subject), one.toRepublished(subject)]) {
      expect(one.toSubject(wire)).toBe(subject);
      expect(other.toSubject(wire)).toBe(wire);
      expect(matchesSubject(other.published, wire) || matchesSubject(other.republished, wire)).toBe(false);
    }
  });

  it("buckets and streams have other names", () => {
    expect(bucketNames.map((name) => one.bucket(name))).toEqual([
      "control-aaaaaaaaaaaa",
      "status-aaaaaaaaaaaa",
      "inventory-aaaaaaaaaaaa",
      "vms-aaaaaaaaaaaa",
    ]);
    expect(one.stream).not.toBe(other.stream);
  });

  const wrong = [
    "",
    "*",
    ">",
    "a.b",
    "aaaaaaaaaaaaa",
    "AAAAAAAAAAAA",
    "1aaaaaaaaaaa",
    "aaaaaaaaaaa*",
    "aaaaaaaaaaaa\n",
  ];
  it.each(wrong)("%j is not an installation", (installation) => {
    expect(() => nameBus(installation)).toThrow("is not an installation");
  });

  it("nothing is published outside meshroll.v1", () =>
    expect(() => one.toPublished("$KV.control.state")).toThrow("not below meshroll"));
});
