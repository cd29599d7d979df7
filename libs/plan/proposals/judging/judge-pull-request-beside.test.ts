import { compileSpec, judgePullRequest, type MergedFiles } from "#libs/plan";
import { request, half, headSha, mainSha } from "#test/world/pull-request";
import { expect, test } from "vitest";

const campaignOf = (name: string, bucket: string): string =>
  `apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: ${name} }\nspec:\n  target: new\n  replaces: [old]\n` +
  `  stages:\n    - { name: all, set: { "${bucket}": 100 } }\n`;
const campaigns = {
  "campaigns/live.yml": campaignOf("live", "production"),
  "campaigns/stg.yml": campaignOf("stg", ".*-stg"),
};

/** What `meshroll/plan` says of a pull request that turns main into this. */
function summarise(text: string): string {
  const [main, merged] = [mainSha, headSha].map((sha, index) =>
    compileSpec(sha, index === 0 ? half : text, undefined, campaigns),
  );
  if (main?.ok !== true || merged?.ok !== true) throw new Error("the fixture does not parse");
  const texts = { "rollouts.yml": text };
  const files: MergedFiles = { kind: "files", compiled: merged, texts, campaigns: [], changed: Object.keys(texts) };
  return judgePullRequest(request(files, { main: main.spec })).plan.summary;
}

const live = "Its run belongs to campaign `live` and has the settings of stage `all`.";
const stg = "Its run belongs to campaign `stg` and has the settings of stage `all`.";
const also = "It is a run of stage `all` of `stg` too";
const all = half.replaceAll("old: 50\n  new: 50", "old: 0\n  new: 100");
const cases = [
  { name: "both buckets: both are named", text: all, want: [true, false, true] },
  {
    name: "one bucket: only its campaign",
    text: half.replace("old: 50\n  new: 50\n.*", "old: 0\n  new: 100\n.*"),
    want: [true, false, false],
  },
  {
    name: "the other bucket",
    text: all.replace("old: 0\n  new: 100", "old: 50\n  new: 50"),
    want: [false, true, false],
  },
];
test.each(cases)("1.5 the check says whose run a change by hand becomes, of $name", ({ text, want }) => {
  const summary = summarise(text);
  expect([live, stg, also].map((sentence) => summary.includes(sentence))).toEqual(want);
});
