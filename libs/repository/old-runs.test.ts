import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createVirtualClock } from "#fakes/runtime";
import { testInstallation } from "#libs/input";
import { openLedger } from "#libs/ledger";
import { createRepositorySnapshots } from "#libs/repository";
import { makeBaseline, type RunRecord } from "#libs/plan";
import { makeRun } from "#test/world/build";
import { expect, test } from "vitest";

const file = (percent: number) => `production:\n  old: ${100 - percent}\n  new: ${percent}\n`;
const campaign = (name: string) =>
  `apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: ${name} }\n` +
  `spec: { target: new, replaces: [old], stages: [{ name: all, set: { production: 100 } }] }\n`;

/** Fourteen ended runs, each changed by `change` (order 1 = the oldest), and the repository snapshots that read them. */
async function openOld(
  campaigns: Readonly<Record<string, string>>,
  change: (order: number) => Partial<RunRecord> = () => ({}),
) {
  const remote = createFakeRemote();
  const clock = createVirtualClock();
  const first = remote.commitToMain({ files: { "rollouts.yml": file(0), ...campaigns } });
  const merged = Array.from({ length: 14 }, (_, index) =>
    remote.commitToMain({ files: { "rollouts.yml": file(index + 1) } }),
  );
  const shas = [first, ...merged];
  const repository = openFakeRepository(remote);
  const ledger = openLedger(repository);
  const repositorySnapshots = createRepositorySnapshots(repository, ledger, clock);
  const runs = merged.map((sha, index) =>
    makeRun(sha, shas[index] ?? "", { order: index + 1, state: "done", ...change(index + 1) }),
  );
  const head = shas.at(-1) ?? "";
  const { next, ...entry } = makeBaseline(first, clock.now(), "ana", testInstallation);
  const state = { ...next, main: head, judged: head, runs: Object.fromEntries(runs.map((run) => [run.id, run])) };
  await ledger.record({ ...entry, next: state }, undefined);
  await repositorySnapshots.refresh();
  const has = (order: number): boolean => repositorySnapshots.view()?.specs.has(shas[order] ?? "") === true;
  return { remote, repositorySnapshots, shas, has };
}

test("2.4 commits that a request names are read at once, also while git is down, until the request is done", async () => {
  const { remote, repositorySnapshots, shas, has } = await openOld({});
  const wanted = [shas[0] ?? "", shas[1] ?? ""];
  const before = [has(0), has(1)];
  remote.setUnavailable(true);
  await repositorySnapshots.want(wanted);
  const during = [has(0), has(1), has(2)];
  remote.setUnavailable(false);
  await repositorySnapshots.refresh();
  const fetched = [has(0), has(1)];
  await repositorySnapshots.want([]);
  await repositorySnapshots.refresh();

  expect([before, during, fetched, [has(0), has(1)]]).toEqual([
    [false, false],
    [true, true, false],
    [true, true],
    [false, false],
  ]);
});

test("1.7 a commit that main does not contain stays unknown, whatever names it", async () => {
  const { remote, repositorySnapshots } = await openOld({});
  const elsewhere = remote.commitTo("other", { files: { "rollouts.yml": file(99) } });
  await repositorySnapshots.want([elsewhere]);
  expect(repositorySnapshots.view()?.specs.has(elsewhere)).toBe(false);
});

const cases = [
  { name: "of its own campaign", files: { "campaigns/a.yml": campaign("a") }, open: "a", want: true },
  { name: "of another campaign", files: { "campaigns/d.yml": campaign("d") }, open: "d", want: false },
  { name: "of no campaign", files: { "campaigns/a.yml": campaign("a") }, open: undefined, want: false },
];
test.each(cases)("1.3 the files of the oldest run are read while a run $name is open: $want", async (each) => {
  const { has } = await openOld(each.files, (order) => {
    if (order === 1) return { campaign: "a", stage: "all" };
    return order < 14
      ? {}
      : { state: "open", ...(each.open === undefined ? {} : { campaign: each.open, stage: "all" }) };
  });
  expect([has(0), has(1)]).toEqual([each.want, each.want]);
});
