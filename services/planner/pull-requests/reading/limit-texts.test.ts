import { compileTexts } from "#libs/repository";
import { expect, test } from "vitest";

import { limitTexts } from "./limit-texts.ts";

const small = "production: { a: 100 }\n";
const large = `${small}${"#".repeat(64 * 1024 - small.length)}`;

test.each([
  { name: "64 KiB are read", rollouts: large, changed: ["rollouts.yml"], want: [] },
  {
    name: "one byte more than 64 KiB is a finding with the limit and the size",
    rollouts: `${large}#`,
    changed: ["rollouts.yml"],
    want: [
      "rollouts.yml:1:1 MR1015 the file has 65537 bytes; 65536 is the most in a pull request, 64 KiB more than main has",
    ],
  },
  { name: "a file that does not change may be larger", rollouts: `${large}#`, changed: [], want: [] },
  {
    name: "bytes are counted, not characters; meshroll.yml has the same limit",
    rollouts: small,
    settings: `#${"é".repeat(32 * 1024)}`,
    changed: ["meshroll.yml"],
    want: [
      "meshroll.yml:1:1 MR1015 the file has 65537 bytes; 65536 is the most in a pull request, 64 KiB more than main has",
    ],
  },
  {
    name: "a file may grow by 64 KiB over main's size",
    rollouts: `${large}${large}`,
    main: 64 * 1024,
    changed: ["rollouts.yml"],
    want: [],
  },
])("$name", ({ rollouts, settings, main = 0, changed, want }) => {
  const texts = { rollouts, ...(settings !== undefined && { settings }), campaigns: {}, refused: [] };
  const compiled = compileTexts("0".repeat(40), limitTexts(texts, changed, new Map([["rollouts.yml", main]])));
  const found = compiled.findings.map(
    ({ file, line, column, code, message }) => `${file}:${line}:${column} ${code} ${message}`,
  );
  expect([compiled.ok, found]).toEqual([want.length === 0, want]);
});

test("a campaign's file that is too large counts as unreadable, and does not affect other campaigns", () => {
  const texts = { rollouts: small, campaigns: { "campaigns/a.yml": `${large}#` }, refused: [] };
  const compiled = compileTexts("0".repeat(40), limitTexts(texts, ["campaigns/a.yml"], new Map()));
  expect(compiled.ok && compiled.spec.unread?.map(({ file, finding }) => [file, finding.code])).toEqual([
    ["campaigns/a.yml", "MR1015"],
  ]);
});
