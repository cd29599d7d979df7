import { describe, expect, it } from "vitest";

import { describeUnknown, requireKnown } from "./unknown-name.ts";

describe("an unknown name", () => {
  it("is answered with the nearest name and a list of names", () => {
    expect(describeUnknown("cluster", "prod-c", ["prod-b", "prod-a", "edge"])).toEqual({
      message: "there is no cluster prod-c",
      help: ["did you mean prod-a?", "known: edge, prod-a, prod-b"],
    });
  });

  it("lists at most ten, and suggests no distant name", () => {
    const known = Array.from({ length: 12 }, (_, index) => `team-${String(index).padStart(3, "0")}`);
    const { help } = describeUnknown("namespace", "payments", known);
    expect(help).toEqual([expect.stringMatching(/^known: team-000, .*team-009, and 2 more$/u)]);
  });

  it("says that there are none, or the given text", () => {
    expect(describeUnknown("run", "x", []).help).toEqual(["there is no run at all"]);
    expect(describeUnknown("run", "x", [], "no run is open").help).toEqual(["no run is open"]);
  });

  it("is refused with 65, and a known one is not", () => {
    expect(() => requireKnown("run", "x", ["y"])).toThrow(expect.objectContaining({ exitCode: 65 }) as Error);
    expect(() => requireKnown("run", "y", ["y"])).not.toThrow();
  });
});
