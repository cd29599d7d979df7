import { describe, expect, it } from "vitest";

import { judgeServer } from "./judge-server.ts";

const good = { version: "7.4.1", evictionPolicy: "noeviction", isAppendOnly: true };

describe("a Redis", () => {
  const cases = [
    { name: "as it should be", probe: good, wantProblems: [] },
    { name: "just new enough", probe: { ...good, version: "6.2.0" }, wantProblems: [] },
    { name: "of a version that nobody can read", probe: { ...good, version: "unknown" }, wantProblems: [] },
    {
      name: "that evicts",
      probe: { ...good, evictionPolicy: "allkeys-lru" },
      wantProblems: [/^QueueEvicts: Redis at r:1 has maxmemory-policy allkeys-lru, .*mend with: redis-cli CONFIG SET/],
    },
    {
      name: "without an append-only file",
      probe: { ...good, isAppendOnly: false },
      wantProblems: [/^QueueForgets: .*mend with: redis-cli CONFIG SET appendonly yes/],
    },
    {
      name: "with both faults",
      probe: { ...good, evictionPolicy: "volatile-ttl", isAppendOnly: false },
      wantProblems: [/^QueueEvicts/, /^QueueForgets/],
    },
  ];
  it.each(cases)("$name serves us", ({ probe, wantProblems }) => {
    const { refusal, problems } = judgeServer(probe, "r:1");
    expect(refusal).toBe(undefined);
    expect(problems).toEqual(wantProblems.map((want) => expect.stringMatching(want) as string));
  });

  it.each(["6.0.16", "5.0.7", "2.8.0"])("of version %s is refused", (version) => {
    expect(judgeServer({ ...good, version }, "r:1").refusal).toBe(`Redis at r:1 is ${version}; needed is 6.2 or newer`);
  });
});
