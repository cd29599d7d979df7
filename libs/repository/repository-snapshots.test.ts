import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createVirtualClock } from "#fakes/runtime";
import { testInstallation } from "#libs/input";
import { openLedger } from "#libs/ledger";
import { type LedgerState, makeBaseline } from "#libs/plan";
import { expect, test } from "vitest";

import { createRepositorySnapshots } from "./repository-snapshots.ts";

const file = (percent: number) => `production:\n  old: ${100 - percent}\n  new: ${percent}\n`;

/** A repository with one commit, and its reader. */
function makeBench() {
  const remote = createFakeRemote();
  const clock = createVirtualClock();
  const merge = (text: string | null) => remote.commitToMain({ files: { "rollouts.yml": text } });
  const first = merge(file(0));
  const repository = openFakeRepository(remote);
  const ledger = openLedger(repository);
  const repositorySnapshots = createRepositorySnapshots(repository, ledger, clock);
  const record = async (change: Partial<LedgerState>, previous?: LedgerState): Promise<LedgerState> => {
    const entry = makeBaseline(first, clock.now(), "ana", testInstallation);
    const outcome = await ledger.record({ ...entry, next: { ...(previous ?? entry.next), ...change } }, previous);
    if (outcome.kind !== "recorded") throw new Error(outcome.why);
    return outcome.state;
  };
  return { remote, clock, merge, first, repositorySnapshots, record };
}

const listPoints = (view: Awaited<ReturnType<ReturnType<typeof makeBench>["repositorySnapshots"]["refresh"]>>) =>
  view.main.points.map((point) => `${point.commit.sha} ${"spec" in point ? "parsed" : "broken"}`);

test("1.2 without a ledger nothing is judged: main's head and no points", async () => {
  const { repositorySnapshots, first } = makeBench();
  const view = await repositorySnapshots.refresh();
  expect([view.main.head, view.ledger, view.main.points, view.main.contained]).toEqual([first, undefined, [], true]);
});

test("1.1 first-parent commits after the last judged one, oldest first, with findings of those that do not parse", async () => {
  const { repositorySnapshots, merge, record } = makeBench();
  await record({});
  const shas = [merge(file(5)), merge("production: { old: 50 }\n"), merge(null), merge(file(25))];
  const view = await repositorySnapshots.refresh();
  expect(listPoints(view)).toEqual([
    `${shas[0]} parsed`,
    `${shas[1]} broken`,
    `${shas[2]} broken`,
    `${shas[3]} parsed`,
  ]);
});

test("1.1 of a merge commit only its first parents count", async () => {
  const { repositorySnapshots, remote, record } = makeBench();
  await record({});
  remote.commitTo("raise", { files: { "rollouts.yml": file(5) } });
  remote.commitTo("raise", { files: { "rollouts.yml": file(10) } });
  const merged = remote.mergeToMain({ branch: "raise" });
  const view = await repositorySnapshots.refresh();
  expect(listPoints(view)).toEqual([`${merged.kind === "merged" ? merged.sha : ""} parsed`]);
});

test("1.7 a main without the last recorded head is a forced push: vanished commits are listed", async () => {
  const { repositorySnapshots, remote, merge, record, first } = makeBench();
  const raised = merge(file(5));
  const state = await record({});
  await record({ main: raised, judged: raised }, state);
  remote.forceMain(first);
  remote.commitToMain({ files: { "rollouts.yml": file(10) } });
  const view = await repositorySnapshots.refresh();
  expect([view.main.contained, view.main.vanished, view.main.points]).toEqual([false, [raised], []]);
});

test("1.7 the next commit is compared with the last one that parsed, whose files stay read", async () => {
  const { repositorySnapshots, merge, record, first } = makeBench();
  await record({});
  merge("broken: [\n");
  const view = await repositorySnapshots.refresh();
  expect([view.specs.has(first), view.specs.has(view.main.head)]).toEqual([true, false]);
});

const kept = [
  { name: "1.3 the files of every run since the oldest open one are read, and no others", open: 3, want: 3 },
  { name: "2.4 the files of the eight newest runs are read although these are over", open: undefined, want: 6 },
];
test.each(kept)("$name", async ({ open, want }) => {
  const { repositorySnapshots, merge, record, first } = makeBench();
  const shas = [first, ...Array.from({ length: 14 }, (_, index) => merge(file(index + 1)))];
  const run = (order: number) => ({
    id: shas[order]?.slice(0, 12) ?? "",
    commit: shas[order] ?? "",
    before: shas[order - 1] ?? "",
    order,
    startedAt: "2026-11-19T12:00:00.000Z",
    author: "ana",
    subject: "",
    buckets: [],
    changes: [],
    clusters: {},
    state: order === (open ?? 0) + 1 && open !== undefined ? ("open" as const) : ("done" as const),
  });
  const runs = Object.fromEntries(shas.slice(1).map((sha, index) => [sha.slice(0, 12), run(index + 1)]));
  const head = shas.at(-1) ?? "";
  await record({ main: head, judged: head, runs });
  const view = await repositorySnapshots.refresh();
  expect([...view.specs.keys()].toSorted()).toEqual(shas.slice(want).toSorted());
});

test("1.7 ledger and main come from one fetch, and our own push is judged with the same main", async () => {
  const { repositorySnapshots, merge, record } = makeBench();
  const state = await record({});
  const raised = merge(file(5));
  await repositorySnapshots.refresh();
  merge(file(25));
  const view = await repositorySnapshots.adopt(await record({ judged: raised }, state));
  expect([view.main.head, view.main.points, view.ledger?.judged]).toEqual([raised, [], raised]);
});

test("1.4 unfinished campaigns are read at their commit, and one that does not parse is held as it last parsed", async () => {
  const { repositorySnapshots, remote, record } = makeBench();
  await record({});
  const commit = (files: Readonly<Record<string, string>>) => remote.commitToMain({ files });
  const campaign = (stage: string) =>
    [
      "apiVersion: meshroll.dev/v1",
      "kind: Campaign",
      "metadata: { name: up }",
      `spec: { target: new, replaces: [old], stages: [${stage}] }\n`,
    ].join("\n");
  const good = commit({ "campaigns/up.yml": campaign("{ name: all, set: { production: 100 } }") });
  const done = commit({ "campaigns/done/old.yml": "not: a campaign\n", "campaigns/README.md": "# nor this\n" });
  const bad = commit({ "campaigns/up.yml": campaign("{ name: all, set: { production: 101 } }") });
  const { specs } = await repositorySnapshots.refresh();
  const told = [good, done, bad].map((sha) => {
    const { campaigns, unread = [] } = specs.get(sha) ?? {};
    const [stage] = campaigns?.get("up")?.stages ?? [];
    return { share: stage?.set["production"], unread: unread.map(({ name, since }) => `${name} since ${since}`) };
  });
  expect(told).toEqual([
    { share: 100, unread: [] },
    { share: 100, unread: [] },
    { share: 100, unread: [`up since ${bad}`] },
  ]);
});

test("4.3 `contains` answers for the main that was fetched last", async () => {
  const { repositorySnapshots, merge, first } = makeBench();
  await repositorySnapshots.refresh();
  const raised = merge(file(5));
  const before = await repositorySnapshots.contains(raised).catch(() => false);
  await repositorySnapshots.refresh();
  expect([await repositorySnapshots.contains(first), before, await repositorySnapshots.contains(raised)]).toEqual([
    true,
    false,
    true,
  ]);
});

test("12.1 a failed fetch throws, and the last snapshot stays and grows old", async () => {
  const { repositorySnapshots, remote, clock, first } = makeBench();
  expect(repositorySnapshots.view()).toBe(undefined);
  await repositorySnapshots.refresh();
  await clock.advance(90_000);
  remote.setUnavailable(true);
  await expect(repositorySnapshots.refresh()).rejects.toThrow("down");
  expect([repositorySnapshots.view()?.main.head, repositorySnapshots.view()?.main.ageMs]).toEqual([first, 90_000]);
});
