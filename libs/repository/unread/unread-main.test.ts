import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createVirtualClock } from "#fakes/runtime";
import { testInstallation } from "#libs/input";
import { openLedger } from "#libs/ledger";
import { createRepositorySnapshots } from "#libs/repository";
import { makeBaseline } from "#libs/plan";
import { expect, test } from "vitest";

type Files = Readonly<Record<string, string | null>>;

const broken = "kind: [\n";
const large = `# ${"x".repeat(9 * 1024 * 1024)}\n`;
const a = "campaigns/a.yml";
const b = "campaigns/b.yml";

/** The share of its stage tells which version of the file it is. */
const campaign = (name: string, share: number): string =>
  `apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: ${name} }\n` +
  `spec: { target: new, replaces: [old], stages: [{ name: all, set: { ${name}: ${share} } }] }\n`;

const many = (text: string | null): Files =>
  Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`campaigns/c${index}.yml`, text]));

const cases: readonly { readonly name: string; readonly steps: readonly Files[]; readonly want: readonly string[] }[] =
  [
    {
      name: "a campaign that does not parse is held as it last parsed",
      steps: [{ [a]: campaign("a", 10) }, { [a]: campaign("a", 20) }, { [a]: broken }, { "x.md": "x" }],
      want: ["a 20 held since 3"],
    },
    {
      name: "one that is too large for git is held as it last parsed",
      steps: [{ [a]: campaign("a", 10) }, { [a]: large }],
      want: ["a 10 held since 2"],
    },
    {
      name: "one that was too large in between is held as it parsed before",
      steps: [{ [a]: campaign("a", 10) }, { [a]: large }, { [a]: broken }],
      want: ["a 10 held since 3"],
    },
    {
      name: "one that is not UTF-8 is held",
      steps: [{ [a]: campaign("a", 10) }, { [a]: campaign("a\uFFFD", 10) }],
      want: ["a 10 held since 2"],
    },
    {
      name: "one that never parsed is held, without known buckets",
      steps: [{ [a]: broken }, { [a]: `${broken}# again\n` }],
      want: ["a unknown held since 2"],
    },
    {
      name: "one that was deleted is no campaign any more",
      steps: [{ [a]: campaign("a", 10) }, { [a]: broken }, { [a]: null }],
      want: [],
    },
    {
      name: "one that was deleted and added again is not the earlier one",
      steps: [{ [a]: campaign("a", 10) }, { [a]: null }, { [a]: broken }],
      want: ["a unknown held since 3"],
    },
    {
      name: "one that was renamed and broken in one commit is held under its old name too",
      steps: [{ [a]: campaign("a", 10) }, { [a]: null, [b]: campaign("a", 10) }],
      want: ["a 10 held", "b unknown held since 2"],
    },
    {
      name: "one that was broken, and renamed later, is held under its old name too",
      steps: [{ [a]: campaign("a", 10) }, { [a]: broken }, { [a]: null, [b]: broken }, { [b]: `${broken}#\n` }],
      want: ["a 10 held", "b unknown held since 4"],
    },
    {
      name: "one that was moved to campaigns/done/ when an unreadable one appeared is over",
      steps: [{ [a]: campaign("a", 10) }, { [a]: null, "campaigns/done/a.yml": campaign("a", 10), [b]: broken }],
      want: ["b unknown held since 2"],
    },
    {
      name: "a readable one is not held because another is unreadable",
      steps: [{ [a]: campaign("a", 10), [b]: campaign("b", 10) }, { [b]: broken }],
      want: ["a 10", "b 10 held since 2"],
    },
    {
      name: "with more campaign files than are read, each known campaign is held",
      steps: [{ [a]: campaign("a", 10) }, many(broken)],
      want: ["a 10 held"],
    },
    {
      name: "where rollouts.yml lacks a campaign's bucket, only that campaign is held",
      steps: [
        { [a]: campaign("a", 10), [b]: campaign("b", 10) },
        { "rollouts.yml": "production:\n  old: 100\na:\n  old: 100\n" },
      ],
      want: ["a 10", "b 10 held since 1"],
    },
  ];

const start = "production:\n  old: 100\na:\n  old: 100\nb:\n  old: 100\n";

test.each(cases)("1.7 $name", async ({ steps, want }) => {
  const remote = createFakeRemote();
  const clock = createVirtualClock();
  const first = remote.commitToMain({ files: { "rollouts.yml": start } });
  const repository = openFakeRepository(remote);
  await openLedger(repository).record(makeBaseline(first, clock.now(), "ana", testInstallation), undefined);
  const shas = [first, ...steps.map((files) => remote.commitToMain({ files }))];
  const { specs, main } = await createRepositorySnapshots(repository, openLedger(repository), clock).refresh();
  const { campaigns = new Map<string, never>(), unread = [] } = specs.get(main.head) ?? {};
  const names = [...new Set([...campaigns.keys(), ...unread.map(({ name }) => name)])].toSorted();
  const told = names.map((name) => {
    const known = campaigns.get(name)?.stages[0]?.set[name] ?? "unknown";
    const held = unread.find((each) => each.name === name);
    const since = held?.since === undefined ? "" : ` since ${shas.indexOf(held.since)}`;
    return held === undefined ? `${name} ${known}` : `${name} ${known} held${since}`;
  });
  expect(told).toEqual(want);
});
