import { describe, expect, it } from "vitest";

import { readAnswer } from "./read-answer.ts";

function write(result: readonly unknown[], more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ status: "success", ...more, data: { resultType: "vector", result } });
}

function read(value: unknown, more: Readonly<Record<string, unknown>> = {}) {
  return readAnswer(200, write([{ metric: {}, value: [1_795_088_580, value] }], more));
}

describe("a number", () => {
  it.each([
    ["0", 0],
    ["5", 5],
    ["-0.5", -0.5],
    ["1e+06", 1e6],
    ["1e-07", 1e-7],
    ["1.5e+300", 1.5e300],
    ["0.30000000000000004", 0.1 + 0.2],
  ])("as Prometheus writes it is judged: %j", (text, value) => expect(read(text)).toEqual({ kind: "value", value }));

  it.each(["NaN", "+Inf", "-Inf", "1e999"])(
    "that Prometheus writes and nothing can be compared with is no data: %s",
    (text) =>
      expect(read(text)).toEqual({ kind: "noData", why: `the answer is ${text}, which is not a number to compare` }),
  );

  it.each([
    "0x10",
    "0b1",
    "0o7",
    " 5 ",
    "5\n",
    "1_000",
    "1,000",
    "",
    "5abc",
    "5.",
    ".5",
    "1e",
    "true",
    "null",
    "Infinity",
    "٥",
  ])("that Prometheus does not write is no data, and says so: %j", (text) => {
    const why = `the answer is ${JSON.stringify(text)}, which is not a number as Prometheus writes it`;
    expect(read(text)).toEqual({ kind: "noData", why });
  });

  it.each([5, true, null, ["5"], undefined])("that is no text is nothing that Prometheus answers: %j", (value) =>
    expect(read(value)).toMatchObject({ kind: "unavailable" }),
  );
});

describe("an answer that was put together from a part of the data", () => {
  const warned = (why: string) => `it warns of its own answer: ${why}`;
  it.each([
    { more: { warnings: ["No StoreAPIs matched"] }, why: warned("No StoreAPIs matched") },
    { more: { warnings: ["one\nof two", "other"] }, why: warned("one of two") },
    { more: { warnings: ["w".repeat(1000)] }, why: warned(`${"w".repeat(300)}…`) },
    { more: { isPartial: true }, why: "it says that its answer is partial" },
  ])("is no data, and says why: $why", ({ more, why }) => {
    expect(read("0", more)).toEqual({ kind: "noData", why });
    expect(readAnswer(200, write([], more))).toEqual({ kind: "noData", why });
  });

  it("has no scalar either", () => {
    const data = { resultType: "scalar", result: [1, "0"] };
    const text = JSON.stringify({ status: "success", data, warnings: ["x"] });
    expect(readAnswer(200, text)).toEqual({ kind: "noData", why: warned("x") });
  });

  it("is refused all the same where the query is wrong", () => {
    const text = write([{ value: [1, "1"] }, { value: [1, "2"] }], { isPartial: true });
    expect(readAnswer(200, text)).toMatchObject({ kind: "refused" });
  });

  it.each([{ warnings: "x" }, { warnings: [1] }, { isPartial: "true" }])(
    "and says so in a way that is not known is nothing that Prometheus answers: %j",
    (more) => expect(read("0", more)).toMatchObject({ kind: "unavailable" }),
  );

  it.each([
    { warnings: [] },
    { warnings: null },
    { isPartial: false },
    { infos: ["PromQL info: not a counter"] },
    { stats: {} },
  ])("is another thing than a whole one with %j", (more) =>
    expect(read("0", more)).toEqual({ kind: "value", value: 0 }),
  );
});
