import { describe, expect, it } from "vitest";

import { redactJson } from "./redact-secrets.ts";

const key = "-----BEGIN RSA PRIVATE KEY-----";
const cases: readonly { readonly name: string; readonly value: unknown; readonly want: unknown }[] = [
  {
    name: "a login in a URL",
    value: { why: "https://u:hunter2hunter2@host/x failed" },
    want: { why: expect.not.stringContaining("hunter2hunter2") },
  },
  {
    name: "a quoted token without an end",
    value: [{ why: "token: 'abcdefgh01234567", who: "ana's" }, { why: "next" }],
    want: [{ why: expect.not.stringContaining("abcdefgh"), who: "ana's" }, { why: "next" }],
  },
  {
    name: "the beginning of a key",
    value: { a: `${key} MIIEow`, rest: [1, null, "kept"] },
    want: { a: expect.not.stringContaining("MIIEow"), rest: [1, null, "kept"] },
  },
];

describe("JSON on the bus stays JSON when its texts have", () => {
  it.each(cases)("$name", ({ value, want }) => {
    expect(JSON.parse(redactJson(JSON.stringify(value)))).toEqual(want);
  });

  it("no secret, and is the same text then", () => {
    const text = '{"a":  "b", "c": [1]}';
    expect(redactJson(text)).toBe(text);
  });
});
