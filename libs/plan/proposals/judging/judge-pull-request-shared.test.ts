import { compileSpec, judgePullRequest, type MergedFiles } from "#libs/plan";
import { readVerdict } from "#test/world/words";
import { request, half, headSha, mainSha } from "#test/world/pull-request";
import { expect, test } from "vitest";

const campaignOf = (name: string, bucket: string): string =>
  `apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: ${name} }\nspec:\n  target: new\n  replaces: [old]\n` +
  `  stages:\n    - { name: all, set: { "${bucket}": 100 } }\n`;
const campaigns = {
  "campaigns/live.yml": campaignOf("live", "production"),
  "campaigns/stg.yml": campaignOf("stg", ".*-stg"),
};

/** The result of `meshroll/plan` for a pull request with this change of main. */
function judge(text: string, settings?: string, from = half) {
  const [main, merged] = [
    compileSpec(mainSha, from, undefined, campaigns),
    compileSpec(headSha, text, settings, campaigns),
  ];
  if (!main.ok || !merged.ok) throw new Error("the fixture does not parse");
  const texts = { "rollouts.yml": text };
  const files: MergedFiles = { kind: "files", compiled: merged, texts, campaigns: [], changed: Object.keys(texts) };
  return readVerdict(judgePullRequest(request(files, { main: main.spec }))).plan;
}

const belongs = (name: string): string =>
  `Its run belongs to campaign \`${name}\` and has the settings of stage \`all\`.`;
const all = half.replaceAll("old: 50\n  new: 50", "old: 0\n  new: 100");
const cases = [
  {
    name: "one bucket belongs to its campaign",
    text: half.replace("old: 50\n  new: 50\n.*", "old: 0\n  new: 100\n.*"),
    want: ["success", belongs("live")],
  },
  {
    name: "the other bucket belongs to the other campaign",
    text: all.replace("old: 0\n  new: 100", "old: 50\n  new: 50"),
    want: ["success", belongs("stg")],
  },
  {
    name: "both buckets is red, with one pull request for each as the fix",
    text: all,
    want: ["failure", "Make one pull request for each of `live`, `stg`."],
  },
];
test.each(cases)("1.5 meshroll/plan: a change by hand of $name", ({ text, want: [state, sentence] }) => {
  const plan = judge(text);
  expect([plan.state, plan.summary]).toEqual([state, expect.stringContaining(sentence ?? "")]);
});

test("1.5 meshroll/plan: a new seed that moves nothing concerns all buckets, and is not refused for two campaigns", () => {
  const { state, summary } = judge(all, "assignment: { seed: next }\n", all);
  expect([state, summary]).toEqual(["success", expect.not.stringContaining("one pull request for each")]);
});
