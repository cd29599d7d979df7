import { describe, expect, it } from "vitest";

import { describeUnknown, requireKnown } from "./unknown-name.ts";

describe("a name that nothing has", () => {
  it("is answered with the nearest that there is, and with what there is", () => {
    expect(describeUnknown("cluster", "prod-c", ["prod-b", "prod-a", "edge"])).toEqual({
      message: "there is no cluster prod-c",
      help: ["did you mean prod-a?", "known: edge, prod-a, prod-b"],
    });
  });

  it("names no more than ten, and guesses nothing that is far off", () => {
    const known = Array.from({ length: 12 }, (_, index) => `team-${String(index).padStart(3, "0")}`);
    const { help } = describeUnknown("namespace", "payments", known);
    expect(help).toEqual([expect.stringMatching(/^known: team-000, .*team-009, and 2 more$/u)]);
  });

  it("says that there is none at all, or what is said instead", () => {
    expect(describeUnknown("run", "x", []).help).toEqual(["there is no run at all"]);
    expect(describeUnknown("run", "x", [], "no run is open").help).toEqual(["no run is open"]);
  });

  it("is refused with 65, and a known one is not", () => {
    expect(() => requireKnown("run", "x", ["y"])).toThrow(expect.objectContaining({ exitCode: 65 }) as Error);
    expect(() => requireKnown("run", "y", ["y"])).not.toThrow();
  });
});
