import { describe, expect, it } from "vitest";

import { ConfigProblems } from "../config/config-problems.ts";
import { guardNames, openGuards } from "./open-guards.ts";

const clock = "0:60:0";
const here = ["nats://executor:x@127.0.0.1:4222", "redis://localhost:6379"];

describe("guards that a test switches off", () => {
  const taken = [
    { name: "none where nothing is asked", off: undefined, clock: undefined, servers: ["nats://10.0.0.1"], want: [] },
    { name: "none where the variable is empty", off: "", clock: undefined, servers: ["nats://10.0.0.1"], want: [] },
    { name: "one", off: "lock", clock, servers: here, want: ["lock"] },
    { name: "two", off: "lock,stops", clock, servers: here, want: ["lock", "stops"] },
    { name: "all", off: guardNames.join(","), clock, servers: here, want: [...guardNames] },
  ];
  it.each(taken)("are $name", ({ off, clock: given, servers, want }) => {
    const config = { MESHROLL_SANDBOX_WITHOUT_GUARD: off, MESHROLL_SANDBOX_CLOCK: given };
    expect([...openGuards(config, servers)]).toEqual(want);
  });

  const refused = [
    {
      name: "without the sandbox's clock",
      off: "lock",
      clock: undefined,
      servers: here,
      want: "MESHROLL_SANDBOX_CLOCK",
    },
    { name: "with an empty clock", off: "lock", clock: "", servers: here, want: "MESHROLL_SANDBOX_CLOCK" },
    { name: "with a name that is no guard", off: "lock,locks", clock, servers: here, want: '"locks" is no guard' },
    { name: "with a NATS elsewhere", off: "lock", clock, servers: [...here, "nats://10.0.0.1"], want: "this machine" },
    {
      name: "with a server that only looks local",
      off: "lock",
      clock,
      servers: ["redis://127.0.0.1.x.org"],
      want: "this machine",
    },
    { name: "with a server that cannot be read", off: "lock", clock, servers: ["east"], want: "this machine" },
  ];
  it.each(refused)("are refused $name", ({ off, clock: given, servers, want }) => {
    const config = { MESHROLL_SANDBOX_WITHOUT_GUARD: off, MESHROLL_SANDBOX_CLOCK: given };
    expect(() => openGuards(config, servers)).toThrow(ConfigProblems);
    expect(() => openGuards(config, servers)).toThrow(want);
    expect(() => openGuards(config, servers)).toThrow("MESHROLL_SANDBOX_WITHOUT_GUARD");
  });
});
