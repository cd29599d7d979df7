import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { secret } from "./secret.ts";

const example = readFileSync(fileURLToPath(new URL("../../../.env.example", import.meta.url)), "utf8");

/** The secret variables of the example, with their values. */
const given = [...example.matchAll(/^(\w*(?:TOKEN|SECRET|PASSWORD)\w*)=(.+)$/gm)].map(([, name = "", value = ""]) => {
  return { name, value };
});

describe("a value that was copied from an example is refused", () => {
  const cases = [
    ...given,
    { name: "a call to change it", value: "change-me-before-production" },
    { name: "a name in angle brackets", value: "<the token of the app>" },
    { name: "a variable that was not expanded", value: "${GITHUB_TOKEN}" },
    { name: "one letter, again and again", value: "xxxxxxxxxxxxxxxxxxxxxxxx" },
  ];

  it.each(cases)("$name", ({ value }) => {
    const read = secret().safeParse(value);
    expect(read.error?.issues.map(({ message }) => message)).toEqual([
      "is a placeholder of an example: put the real value in its place",
    ]);
    // The message is printed, so it must not repeat the value, which may be a secret.
    expect(JSON.stringify(read.error?.issues.map(({ message }) => message))).not.toContain(value);
  });
});

it.each(["ghs_Q7hW2mZk9TxR4vLb8NcY", "4f6c1b9d2e8a7053", "-----BEGIN KEY-----\nreplace\n".repeat(5)])(
  "a real one is kept: %s",
  (value) => expect(secret().parse(value).reveal()).toBe(value),
);
