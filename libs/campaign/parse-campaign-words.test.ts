import { describe, expect, it } from "vitest";

import { parseCampaign } from "./parse-campaign.ts";
import { builtInSettings } from "./settings/settings.ts";

const file = (change: {
  readonly name?: string;
  readonly spec?: string;
  readonly stage?: string;
  readonly target?: string;
}) =>
  [
    `apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: ${change.name ?? "up"} }`,
    `spec:\n  target: ${change.target ?? "new"}\n  replaces: [old]\n${change.spec ?? ""}`,
    `  stages:\n    - { name: all, set: { production: 100 }${change.stage ?? ""} }\n`,
  ].join("\n");

/** Code and help of each finding. */
function parse(text: string, name = "up"): readonly string[] {
  const { findings } = parseCampaign(text, `campaigns/${name}.yml`, builtInSettings);
  return findings.map(({ code, message, help }) => `${code} ${message}: ${help ?? ""}`);
}

describe("names that a campaign may not have", () => {
  it.each(["ledger", "rollback"])("%s is refused, because it is a branch of ours", (name) => {
    expect(parse(file({ name }), name)).toEqual([
      expect.stringMatching(new RegExp(`^MR2009 .*meshroll/${name} is a branch of its own`)),
    ]);
  });

  it.each(["ledgers", "returns", "up"])("%s is allowed", (name) => expect(parse(file({ name }), name)).toEqual([]));
});

describe("words that some YAML readers do not take for text", () => {
  const plain = "~ null true False yes no on OFF y n 1 -1 +1 .5 1.25 1_000 1e3 1e-3 12e+3";
  const words = `${plain} 0x1f 0o17 0b11 .inf -.inf +.INF .nan`.split(" ");
  it.each(words)("%s as a reason needs quotes", (word) => {
    const exclude = (reason: string) => file({ spec: `  exclude: [{ pattern: shop, reason: ${reason} }]\n` });
    expect(parse(exclude(word))).toHaveLength(1);
    expect(parse(exclude(`"${word}"`))).toEqual([]);
  });

  it.each(["nullable", "yesterday", "not", "x1", "1st", "v1.25", "0xg", "1e", "infinite", "a.nan"])(
    "%s does not",
    (word) => expect(parse(file({ spec: `  exclude: [{ pattern: shop, reason: ${word} }]\n` }))).toEqual([]),
  );
});

describe("help that names the accepted values", () => {
  const cases = [
    {
      name: "a cluster's field in spec",
      text: file({ spec: "  concurrency: 2\n" }),
      want: /belongs in `spec\.clusters`/,
    },
    {
      name: "an unknown placeholder in a query",
      text: file({ stage: ', gates: [{ name: a, prometheus: { query: "up{${xyzzyx}}", max: 1 } }]' }),
      want: /there are \$\{namespaces\}, \$\{revision\}, \$\{window\}/,
    },
    {
      name: "a limit without bounds",
      text: file({ stage: ", gates: [{ name: a, prometheus: { query: up, max: many, min: 1 } }]" }),
      want: /must be a number such as 0\.02/,
    },
    {
      name: "a ratio, which has some",
      text: file({ stage: ", gates: [{ name: a, revisionMatch: { minRatio: 2 } }]" }),
      want: /must be a number between 0 and 1/,
    },
  ];
  it.each(cases)("$name", ({ text, want }) => expect(parse(text)).toEqual([expect.stringMatching(want)]));
});

describe("one document per file", () => {
  it("may begin and end with a document marker", () => {
    expect(parse(`---\n${file({})}`)).toEqual([]);
    expect(parse(`---\n---\n${file({})}`)).toEqual([expect.stringContaining("one document per file")]);
    expect(parse(`${file({})}...\n`)).toEqual([]);
  });
});
