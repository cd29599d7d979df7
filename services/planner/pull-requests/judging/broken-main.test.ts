import { builtInSettings, parseCampaign } from "#libs/campaign";
import { compileTexts, type SpecTexts } from "#libs/repository";
import { completeSpec, type Spec, type Snapshot } from "#libs/plan";
import type { PullRequestVerdict } from "#libs/wording";
import { request, half, mainSha } from "#test/world/pull-request";
import { deserialize, serialize } from "node:v8";
import { expect, test } from "vitest";

import { createAnswerer } from "./answer-question.ts";
import { createSnapshotReader, createSnapshotWriter, type SnapshotUpdate } from "./snapshot.ts";

const staging = '"^.*-stg$"';
const rollouts = half.replace(".*-stg", staging);
const printCampaign = (name: string, bucket: string): string =>
  `apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: ${name} }\nspec:\n  target: new\n  replaces: [old]\n` +
  `  stages:\n    - { name: all, set: { ${bucket}: 100 } }\n`;
const [up, stg] = ["campaigns/up.yml", "campaigns/stg.yml"];
const good = { [up]: printCampaign("up", "production"), [stg]: printCampaign("stg", staging) };
const broken = "kind: [\n";
/** Bytes that are not UTF-8, after decoding. */
const noText = `${good[stg]}# caf\uFFFD\n`;
const tooMany = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`campaigns/c${at}.yml`, broken]));

type Files = Readonly<Record<string, string>>;
const none: SpecTexts["refused"] = [];

function parseUp() {
  const parsed = parseCampaign(good[up] ?? "", up, builtInSettings);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.value;
}

/** Main's spec as the planner has it: of a broken campaign the last version that parsed is known. */
function readMain(campaigns: Files): Spec {
  const compiled = compileTexts(mainSha, { rollouts, campaigns, refused: none });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return completeSpec(compiled.spec, { campaigns: [parseUp()], unread: compiled.spec.unread ?? [] });
}

interface Case {
  readonly name: string;
  /** Campaign files of main; default: `up` is broken, `stg` can be read. */
  readonly main?: Files;
  /** The files after the merge. */
  readonly after: { readonly rollouts?: string; readonly campaigns: Files };
  readonly want: PullRequestVerdict["plan"]["state"];
  readonly wantTitle: RegExp;
}

const upBroken = { ...good, [up]: broken };
const move = (bucket: string): string =>
  rollouts.replace(`${bucket}:\n  old: 50\n  new: 50`, `${bucket}:\n  old: 0\n  new: 100`);

const cases: readonly Case[] = [
  {
    name: "green: it moves a bucket of a campaign that can be read",
    after: { rollouts: move(staging), campaigns: upBroken },
    want: "success",
    wantTitle: /namespaces? move/u,
  },
  {
    name: "held by main: it moves a bucket of the broken campaign",
    after: { rollouts: move("production"), campaigns: upBroken },
    want: "failure",
    wantTitle: /^held by main: campaigns\/up\.yml has errors \(campaigns\/up\.yml:2:1 /u,
  },
  {
    name: "green: it corrects the broken file",
    after: { campaigns: good },
    want: "success",
    wantTitle: /no bucket of rollouts\.yml changes/u,
  },
  {
    name: "green: it deletes the broken file",
    after: { campaigns: { [stg]: good[stg] ?? "" } },
    want: "success",
    wantTitle: /no bucket of rollouts\.yml changes|say afterwards what they say now/u,
  },
  {
    name: "red: it changes the broken file, and leaves it broken",
    after: { campaigns: { ...good, [up]: `${broken}# looked at\n` } },
    want: "failure",
    wantTitle: /^campaigns\/up\.yml:\d+:\d+ error/u,
  },
  {
    name: "red: it breaks another campaign, and only that one is named",
    after: { campaigns: { [up]: broken, [stg]: broken } },
    want: "failure",
    wantTitle: /^campaigns\/stg\.yml:\d+:\d+ error\[MR\d+\]: (?!.*and \d more)/u,
  },
  {
    name: "red: it renames the broken file",
    after: { campaigns: { "campaigns/up-2.yml": broken, [stg]: good[stg] ?? "" } },
    want: "failure",
    wantTitle: /^campaigns\/up-2\.yml:/u,
  },
  {
    name: "red: it removes the bucket of a campaign that can be read",
    after: { rollouts: "production:\n  old: 50\n  new: 50\n", campaigns: upBroken },
    want: "failure",
    wantTitle: /^campaigns\/stg\.yml:/u,
  },
  {
    name: "red: a file that could be read gets bytes that are not UTF-8",
    after: { campaigns: { [up]: broken, [stg]: noText } },
    want: "failure",
    wantTitle: /^campaigns\/stg\.yml:\d+:\d+ error\[MR1017\]/u,
  },
  {
    name: "green: main has such bytes already, and it moves another bucket",
    main: { [up]: good[up] ?? "", [stg]: noText },
    after: { rollouts: move("production"), campaigns: { [up]: good[up] ?? "", [stg]: noText } },
    want: "success",
    wantTitle: /namespaces? move/u,
  },
  {
    name: "red: it adds more campaign files than are read",
    after: { campaigns: { ...good, ...tooMany } },
    want: "failure",
    wantTitle: /^campaigns:1:1 error\[MR1015\]/u,
  },
  {
    name: "green: main has too many already, and it deletes most of them",
    main: tooMany,
    after: { campaigns: good },
    want: "success",
    wantTitle: /no bucket of rollouts\.yml changes/u,
  },
];

function listChanged(before: Files, after: Files): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => before[path] !== after[path]);
}

/** Sends a snapshot as to the judge's process, and builds it again. */
function send(snapshot: Snapshot): Snapshot {
  const update: unknown = deserialize(serialize(createSnapshotWriter()(snapshot)));
  return createSnapshotReader()(update as SnapshotUpdate);
}

test.each(cases)("10.1 a pull request on a main with a broken campaign: $name", (each) => {
  const { main = upBroken, after, want, wantTitle } = each;
  const texts = { rollouts: after.rollouts ?? rollouts, campaigns: after.campaigns, refused: none };
  const campaigns = listChanged(main, after.campaigns);
  const changed = [...campaigns, ...(after.rollouts === undefined ? [] : ["rollouts.yml"])];
  const { merged: _, snapshot, digest: __, ...question } = request({ kind: "untouched" }, { main: readMain(main) });
  const judge = (seen: Snapshot) =>
    createAnswerer()(seen, { ...question, earlier: [], read: { kind: "files", texts, campaigns, changed } });
  const { plan } = judge(snapshot);
  expect(plan).toMatchObject({ state: want, title: expect.stringMatching(wantTitle) });
  expect(judge(send(snapshot))).toEqual(judge(snapshot));
});
