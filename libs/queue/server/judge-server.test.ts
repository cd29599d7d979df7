import { describe, expect, it } from "vitest";

import { judgeServer } from "./judge-server.ts";
import { nameQueueTrouble, printQueueTrouble } from "../troubles.ts";

const good = { version: "7.4.1", evictionPolicy: "noeviction", isAppendOnly: true, isFull: false };

describe("a Redis", () => {
  const cases = [
    { name: "with the right settings", probe: good, wantProblems: [] },
    { name: "just new enough", probe: { ...good, version: "6.2.0" }, wantProblems: [] },
    { name: "of a version that cannot be read", probe: { ...good, version: "unknown" }, wantProblems: [] },
    {
      name: "that is full",
      probe: { ...good, isFull: true },
      wantProblems: [/^QueueFull: Redis at r:1 uses more memory than maxmemory allows.*fix with: redis-cli CONFIG SET/],
    },
    {
      name: "that evicts",
      probe: { ...good, evictionPolicy: "allkeys-lru" },
      wantProblems: [/^QueueEvicts: Redis at r:1 has maxmemory-policy allkeys-lru, .*fix with: redis-cli CONFIG SET/],
    },
    {
      name: "without an append-only file",
      probe: { ...good, isAppendOnly: false },
      wantProblems: [/^QueueForgets: .*fix with: redis-cli CONFIG SET appendonly yes/],
    },
    {
      name: "with both faults",
      probe: { ...good, evictionPolicy: "volatile-ttl", isAppendOnly: false },
      wantProblems: [/^QueueEvicts/, /^QueueForgets/],
    },
  ];
  it.each(cases)("$name has $wantProblems.length problems", ({ probe, wantProblems }) => {
    const { refusal, problems } = judgeServer(probe, "r:1");
    expect(refusal).toBe(undefined);
    expect(problems.map(printQueueTrouble)).toEqual(wantProblems.map((want) => expect.stringMatching(want) as string));
  });

  it.each(["6.0.16", "5.0.7", "2.8.0"])("of version %s is refused", (version) => {
    expect(judgeServer({ ...good, version }, "r:1").refusal).toBe(`Redis at r:1 is ${version}; needed is 6.2 or newer`);
  });
});

describe("an error of Redis", () => {
  const cases = [
    { text: "OOM command not allowed when used memory > 'maxmemory'.", want: "QueueFull" },
    { text: "OOM command not allowed. script: 0f2, on @user_script:12.", want: "QueueFull" },
    { text: "ERR Error running script (call to f_0f2): @user_script:3: -OOM command not allowed", want: "QueueFull" },
    { text: "MISCONF Errors writing to the AOF file: No space left on device", want: "QueueFull" },
    { text: "WRONGPASS invalid username-password pair or user is disabled.", want: "QueueLoginRefused" },
    { text: "NOAUTH Authentication required.", want: "QueueLoginRefused" },
    { text: "NOPERM this user has no permissions to run the 'flushall' command", want: "QueueRightMissing" },
    { text: "READONLY You can't write against a read only replica.", want: "QueueReadOnly" },
    { text: "connect ECONNREFUSED 127.0.0.1:1", want: "QueueDown" },
    { text: "a batch named ROOM is not known", want: "QueueDown" },
  ];
  it.each(cases)("$text: $want", ({ text, want }) => expect(nameQueueTrouble(new Error(text))).toBe(want));
});
