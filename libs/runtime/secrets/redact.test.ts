import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createRedactor } from "./redact.ts";

const token = 'ghs_p"ss\\wörd/with+signs';
const redact = createRedactor(() => [token, "abc", "-----BEGIN KEY-----\nfirstline\nsecondline\n-----END KEY-----"]);

describe("a secret is redacted", () => {
  const cases = [
    { name: "as it is", text: `token ${token}!` },
    { name: "in JSON", text: JSON.stringify({ token }) },
    { name: "in base64", text: Buffer.from(token).toString("base64") },
    { name: "in base64url", text: Buffer.from(token).toString("base64url") },
    { name: "URL-encoded", text: `?t=${encodeURIComponent(token)}` },
    { name: "in a Basic header", text: `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}` },
  ];
  it.each(cases)("$name", ({ text }) => {
    expect(redact(text)).toContain("[redacted]");
    expect(redact(text)).not.toContain("ghs_");
    expect(Buffer.from(redact(text), "base64").toString()).not.toContain("wörd");
  });

  it("line by line", () => expect(redact("key: firstline; secondline")).toBe("key: [redacted]; [redacted]"));

  it("at any position in base64", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(redact(Buffer.from(before + token + after).toString("base64"))).toContain("[redacted]");
      }),
    );
  });

  it("when it becomes known later", () => {
    const known: string[] = [];
    const late = createRedactor(() => known);
    expect(late("a-late-one")).toBe("a-late-one");
    known.push("a-late-one");
    expect(late("a-late-one")).toBe("[redacted]");
  });

  it("a value that is contained in another one leaves no rest", () => {
    expect(createRedactor(() => ["secret", "secretsecond"])("secretsecond")).toBe("[redacted]");
  });
});

describe("other text is not redacted", () => {
  const cases = [
    { name: "ordinary text", text: "12 workloads moved", want: "12 workloads moved" },
    { name: "a word as short as a silly secret", text: "abc", want: "abc" },
    { name: "a URL without a password", text: "https://github.com/a/b", want: "https://github.com/a/b" },
    { name: "an address behind a URL", text: "see https://a/b, x@y.z", want: "see https://a/b, x@y.z" },
  ];
  it.each(cases)("$name", ({ text, want }) => expect(redact(text)).toBe(want));

  it.each(["https://me:pw@host/x", "nats://tok@host:4222"])("only the login is redacted in %s", (url) => {
    expect(redact(url)).toBe(url.replace(/\/\/.*@/, "//[redacted]@"));
  });
});
