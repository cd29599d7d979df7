import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { findUnmet, type LabelRequirement, makeSelector } from "./label-selector.ts";
import { parseLabelSelector } from "./parse-label-selector.ts";

function parse(text: string): readonly LabelRequirement[] {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.requirements;
}

describe("parseLabelSelector", () => {
  const good: readonly { text: string; want: readonly LabelRequirement[] }[] = [
    { text: "", want: [] },
    { text: "team", want: [{ key: "team", operator: "Exists", values: [] }] },
    { text: "!team", want: [{ key: "team", operator: "DoesNotExist", values: [] }] },
    { text: "team=a", want: [{ key: "team", operator: "In", values: ["a"] }] },
    { text: "team==a", want: [{ key: "team", operator: "In", values: ["a"] }] },
    { text: "team=", want: [{ key: "team", operator: "In", values: [""] }] },
    { text: "env != test", want: [{ key: "env", operator: "NotIn", values: ["test"] }] },
    { text: "tier in (a, b)", want: [{ key: "tier", operator: "In", values: ["a", "b"] }] },
    { text: "in in (in)", want: [{ key: "in", operator: "In", values: ["in"] }] },
    {
      text: "acme.io/team=a,env!=test,tier notin (a,b),!x",
      want: [
        { key: "acme.io/team", operator: "In", values: ["a"] },
        { key: "env", operator: "NotIn", values: ["test"] },
        { key: "tier", operator: "NotIn", values: ["a", "b"] },
        { key: "x", operator: "DoesNotExist", values: [] },
      ],
    },
  ];
  it.each(good)("reads `$text`", ({ text, want }) => {
    expect(parse(text)).toEqual(want);
  });

  const bad: readonly { text: string; wantStart: number; wantMessage: RegExp }[] = [
    { text: "team=a,", wantStart: 7, wantMessage: /label's name must stand here, not the end/ },
    { text: "team=a b", wantStart: 7, wantMessage: /needs `,`, not `b`/ },
    { text: "tier in a", wantStart: 8, wantMessage: /`in` needs `\(`/ },
    { text: "tier in (a", wantStart: 10, wantMessage: /list needs `\)`, not the end/ },
    { text: "tier in ()", wantStart: 9, wantMessage: /value must stand here/ },
    { text: "tier in (a,,b)", wantStart: 11, wantMessage: /value must stand here/ },
    { text: "age>3", wantStart: 3, wantMessage: /expected =, !=, in or notin/ },
    { text: "team=-a", wantStart: 5, wantMessage: /not a label's value/ },
    { text: "_team=a", wantStart: 0, wantMessage: /not a label's name/ },
    { text: "ACME.io/team=a", wantStart: 0, wantMessage: /not a DNS name/ },
    { text: `team=${"a".repeat(64)}`, wantStart: 5, wantMessage: /at most 63/ },
    { text: "a,".repeat(3000), wantStart: 0, wantMessage: /longer than 4096/ },
  ];
  it.each(bad)("points at the error in `$text`", ({ text, wantStart, wantMessage }) => {
    expect(parseLabelSelector(text)).toMatchObject({
      ok: false,
      start: wantStart,
      message: expect.stringMatching(wantMessage),
    });
  });

  it("never throws, whatever the text", () => {
    const pieces = fc.constantFrom("a", "=", "!=", "in", "(", ")", ",", "!", " ", "/", "é", "<", "notin");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const parsed = parseLabelSelector(parts.join(""));
        expect(typeof parsed.ok).toBe("boolean");
      }),
    );
  });
});

describe("makeSelector", () => {
  const value = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  const requirement = fc.oneof(
    fc.record({
      key: value,
      operator: fc.constantFrom("In" as const, "NotIn" as const),
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      key: value,
      operator: fc.constantFrom("Exists" as const, "DoesNotExist" as const),
      values: fc.constant([]),
    }),
  );

  it("prints a line that parses to the same selector", () => {
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 4 }), (requirements) => {
        const selector = makeSelector(requirements);
        expect(makeSelector(parse(selector.text))).toEqual(selector);
      }),
    );
  });
});

describe("findUnmet", () => {
  const labels = { team: "a", tier: "gold", empty: "" };
  const cases: readonly { text: string; want: string | undefined }[] = [
    { text: "team=a", want: undefined },
    { text: "team=b", want: "team=b" },
    { text: "team=a,tier in (silver,bronze)", want: "tier in (bronze,silver)" },
    { text: "tier notin (silver)", want: undefined },
    { text: "tier!=gold", want: "tier!=gold" },
    { text: "absent!=x", want: undefined },
    { text: "absent notin (x,y)", want: undefined },
    { text: "absent=x", want: "absent=x" },
    { text: "absent", want: "absent" },
    { text: "!absent", want: undefined },
    { text: "!team", want: "!team" },
    { text: "empty=", want: undefined },
    { text: "empty", want: undefined },
    { text: "toString", want: "toString" },
    { text: "", want: undefined },
  ];
  it.each(cases)("names the part of `$text` that the labels do not meet: $want", ({ text, want }) => {
    expect(findUnmet(makeSelector(parse(text)), labels)).toBe(want);
  });
});
