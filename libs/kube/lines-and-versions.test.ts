import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { matchesSelector } from "./objects/label-selector.ts";
import { readLines } from "./watch/lines.ts";
import { isLater } from "./store/cluster-store.ts";
import { toOutcome } from "./write/write-outcome.ts";

describe("lines of a watch", () => {
  it("are whole wherever the stream was cut, within letters too; an unfinished last line is dropped", async () => {
    const line = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", " "));
    await fc.assert(
      fc.asyncProperty(fc.array(line), line, fc.array(fc.nat(), { maxLength: 8 }), async (lines, unfinished, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join("") + unfinished);
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
        async function* chunks() {
          for (const [index, place] of places.entries()) yield bytes.subarray(place, places[index + 1]);
        }
        const read: string[] = [];
        for await (const some of readLines(chunks())) read.push(...some);
        expect(read).toEqual(bytes.toString("utf8").split("\n").slice(0, -1));
      }),
    );
  });
});

describe("resourceVersions", () => {
  it("are compared as numbers, beyond what a double can hold", () => {
    const version = fc.bigInt({ min: 0n, max: 2n ** 63n });
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(isLater(String(a), String(b))).toBe(a > b);
      }),
    );
  });
});

describe("answers to a write", () => {
  const message = "another client was faster";
  const cases = {
    "200": [
      { status: 200, body: { metadata: { resourceVersion: "7" } } },
      { kind: "written", resourceVersion: "7" },
    ],
    "400": [
      { status: 400, body: { message } },
      { kind: "refused", why: message },
    ],
    "401 says nothing of this write": [
      { status: 401, body: { message } },
      { kind: "unavailable", why: `401: ${message}` },
    ],
    "403": [
      { status: 403, body: { message } },
      { kind: "refused", why: message },
    ],
    "404": [{ status: 404, body: {} }, { kind: "gone" }],
    "409": [{ status: 409, body: {} }, { kind: "conflict" }],
    "422": [
      { status: 422, body: { message } },
      { kind: "refused", why: message },
    ],
    "429 without a time": [
      { status: 429, body: "" },
      { kind: "unavailable", why: "429: the API server answered 429" },
    ],
    "429 with a time": [
      { status: 429, body: { message }, retryAfterMs: 1_000 },
      { kind: "unavailable", why: `429: ${message}`, retryAfterMs: 1_000 },
    ],
    "502 from a proxy": [
      { status: 502, body: "<html>" },
      { kind: "unavailable", why: "502: <html>" },
    ],
  } as const;
  for (const [name, [answer, want]] of Object.entries(cases)) {
    it(`${name}`, () => expect(toOutcome(answer)).toEqual(want));
  }
});

describe("selectors of budgets", () => {
  const labels = { app: "web", tier: "front" };
  const expression = (operator: string, key: string, ...values: string[]) => ({
    matchExpressions: [{ key, operator, values }],
  });
  const cases = [
    { name: "none chooses nothing", selector: undefined, want: false },
    { name: "an empty one chooses everything", selector: {}, want: true },
    { name: "all labels must match", selector: { matchLabels: { app: "web", tier: "back" } }, want: false },
    { name: "matching labels", selector: { matchLabels: { app: "web" } }, want: true },
    { name: "In", selector: expression("In", "app", "api", "web"), want: true },
    { name: "In without the label", selector: expression("In", "team", "a"), want: false },
    { name: "NotIn", selector: expression("NotIn", "app", "web"), want: false },
    { name: "NotIn without the label", selector: expression("NotIn", "team", "a"), want: true },
    { name: "Exists", selector: expression("Exists", "tier"), want: true },
    { name: "DoesNotExist", selector: expression("DoesNotExist", "tier"), want: false },
    {
      name: "an operator of the future chooses: to wait too long is harmless",
      selector: expression("Gt", "n", "1"),
      want: true,
    },
  ];
  for (const { name, selector, want } of cases) {
    it(`${name}`, () => expect(matchesSelector(selector, labels)).toBe(want));
  }
});
