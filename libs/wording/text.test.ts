import { describe, expect, expectTypeOf, it } from "vitest";

import { printText, type Text, writeText } from "./text.ts";
import { printLine, printPlainLine, writeLine } from "./text-line.ts";

const told: Text = writeText("the bake ends");

/** Never called: each line must be a type error, which the type check verifies. */
export function listRefused(): readonly unknown[] {
  return [
    // @ts-expect-error -- no text is equal to a literal: use the code
    told === "the bake ends",
    // @ts-expect-error -- sentences are not taken apart
    told.split(" "),
    // @ts-expect-error -- nor searched
    told.startsWith("the"),
    // @ts-expect-error -- nor searched
    told.includes("bake"),
    // @ts-expect-error -- nor matched
    /bake/u.test(told),
    // @ts-expect-error -- nor glued to others
    told + told,
    // @ts-expect-error -- nor looked at letter by letter
    told[0],
    // @ts-expect-error -- nor measured
    told.length,
  ];
}

describe("sentences for people", () => {
  it("is no string for the compiler, and a string in JSON", () => {
    expectTypeOf<Text>().not.toExtend<string>();
    expectTypeOf<string>().not.toExtend<Text>();
    expect(JSON.stringify({ told })).toBe('{"told":"the bake ends"}');
    expect(printText(told)).toBe("the bake ends");
  });

  it("has its times and ages as separate parts", () => {
    const line = writeLine("at ", { time: "2026-11-20T13:26:00.000Z" }, " it ends", { ageSeconds: 90 });
    expect(printPlainLine(line)).toBe("at 2026-11-20T13:26:00.000Z it ends");
    const print = { text: (text: string) => text.toUpperCase(), time: () => "14:26 CET", age: () => "90 s" };
    expect(printLine(line, print)).toBe("AT 14:26 CET IT ENDS (for 90 s)");
  });

  it("is escaped as one text, of however many words it was made", () => {
    const line = writeLine("a", "b", { ageSeconds: 3 }, "c");
    expect(printLine(line, { text: (text) => `<${text}>`, time: (iso) => iso })).toBe("<abc>");
  });
});
