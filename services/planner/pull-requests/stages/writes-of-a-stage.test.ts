import type { Scm } from "#libs/scm";
import { file } from "#test/flow/shop";
import { campaignFile, campaignOf } from "#test/flow/campaign/stage-campaign";
import { openStagePullBench, type StagePullBench } from "#test/flow/campaign/stage-pull-bench";
import { makeStop } from "#test/world/build";
import { expect, test } from "vitest";

const branch = "meshroll/shop/half";

/** The planner's writes, by the pull request's head at that time. */
function countWrites(bench: StagePullBench): ReadonlyMap<string, string[]> {
  const writes = new Map<string, string[]>();
  const note = (head: string, what: string): void => void writes.set(head, [...(writes.get(head) ?? []), what]);
  const headOf = async (number: number): Promise<string> => {
    const pulls = await bench.hub.as("ana").listOpenPullRequests("main");
    return pulls.find((pull) => pull.number === number)?.headSha ?? "none";
  };
  const wrap = (scm: Scm): Scm => ({
    ...scm,
    openPullRequest: async (draft) => {
      const pull = await scm.openPullRequest(draft);
      note(pull.headSha, "open");
      return pull;
    },
    addLabels: async (number, labels) => {
      note(await headOf(number), "label");
      await scm.addLabels(number, labels);
    },
    updatePullRequest: async (number, text) => {
      const wrote = await scm.updatePullRequest(number, text);
      if (wrote) note(await headOf(number), "edit");
      return wrote;
    },
    postCheck: async (check) => {
      note(check.headSha, `${check.name} ${check.state}`);
      await scm.postCheck(check);
    },
    putComment: async (number, marker, body) => {
      note(await headOf(number), "comment");
      await scm.putComment(number, marker, body);
    },
    closePullRequest: async (number) => {
      note(await headOf(number), "close");
      await scm.closePullRequest(number);
    },
    merge: async (number, head) => {
      note(head, "merge");
      return scm.merge(number, head);
    },
  });
  bench.restart({ scm: wrap });
  return writes;
}

function setHold(bench: StagePullBench, isHeld: boolean): void {
  const stop = makeStop({ id: "h", scope: "campaign/shop", strength: "propose", who: "cleo" });
  bench.ledger = { ...bench.ledger, stops: isHeld ? { h: stop } : {} };
}

test("10.3 a stage that a person merges costs five writes of its head", async () => {
  const bench = openStagePullBench();
  const writes = countWrites(bench);
  await bench.round();
  await bench.round();
  bench.hub.review(1, { author: "ben", state: "approved" });
  await bench.round();
  const { headSha = "" } = (await bench.find(branch)) ?? {};
  expect([...writes.keys()]).toEqual([headSha]);
  expect(writes.get(headSha)).toEqual([
    "open",
    "label",
    "meshroll/plan success",
    "meshroll/approvals pending",
    "meshroll/approvals success",
  ]);
  expect((await bench.hub.as("ana").merge(1, headSha)).kind).toBe("merged");
});

test("10.3 a stage costs at most eight writes for each of its heads, while holds, reviews, the fleet and main change", async () => {
  const bench = openStagePullBench();
  const writes = countWrites(bench);
  for (let step = 0; step < 40; step += 1) {
    setHold(bench, step % 4 === 1);
    if (step % 3 === 0) bench.names = [...bench.names, `late-${step}`];
    if (step % 5 === 2) bench.hub.review(1, { author: "ben", state: step % 2 === 0 ? "changesRequested" : "approved" });
    if (step === 25) bench.remote.commitToMain({ files: { "rollouts.yml": file(20) } });
    await bench.round(1_200_000);
  }
  setHold(bench, false);
  bench.remote.commitToMain({ files: { "rollouts.yml": file(55) } });
  for (let step = 0; step < 3; step += 1) await bench.round();

  const counts = [...writes.values()].map((each) => each.length);
  expect(Math.max(...counts)).toBeLessThanOrEqual(8);
  // When a head's writes were used up, the branch got another head.
  expect(writes.size).toBeGreaterThan(2);
  expect((await bench.find(branch))?.state).toBe("closed");
});

test("10.3 a stage that merges itself costs five writes; one whose campaign is deleted is closed within eight", async () => {
  const stages = "    - { name: half, set: { production: 50 }, autoMerge: { notice: 1m } }\n";
  const bench = openStagePullBench({ campaign: campaignOf("", stages) });
  const writes = countWrites(bench);
  for (let step = 0; step < 6; step += 1) await bench.round();
  const counts = [...writes.values()].map((each) => each.length);
  expect(bench.readMain()).toBe(file(50));
  expect(counts).toEqual([5]);

  const gone = openStagePullBench();
  const others = countWrites(gone);
  for (let step = 0; step < 3; step += 1) await gone.round();
  gone.remote.commitToMain({ files: { [campaignFile]: null } });
  for (let step = 0; step < 3; step += 1) await gone.round();
  expect([...others.values()].map((each) => each.at(-1))).toEqual(["close"]);
  expect(Math.max(...[...others.values()].map((each) => each.length))).toBeLessThanOrEqual(8);
  expect(gone.ledger.stops).toEqual({});
});

test("10.3 a branch that a person edits costs at most eight writes for each head, the person's own included", async () => {
  const bench = openStagePullBench();
  const writes = countWrites(bench);
  await bench.round();
  await bench.round();
  const theirs = bench.remote.commitTo(branch, { files: { "rollouts.yml": file(40) }, author: "cleo" });
  for (let step = 0; step < 12; step += 1) {
    bench.names = [...bench.names, `late-${step}`];
    setHold(bench, step % 2 === 0);
    await bench.round(1_200_000);
  }
  expect(writes.get(theirs)?.length).toBeGreaterThan(0);
  expect(Math.max(...[...writes.values()].map((each) => each.length))).toBeLessThanOrEqual(8);
});

test("10.2 when the fleet changes the list is recorded again, at most once an hour, and the notice does not start again", async () => {
  const bench = openStagePullBench();
  const read = async (passMs?: number) => {
    await bench.round(passMs);
    return Object.values(bench.ledger.plans).map(({ at, head, digest, list }) => ({ at, head, digest, list }));
  };
  const first = await read();
  bench.names = [...bench.names, "late-1", "late-2", "late-3", "late-4"];
  const soon = await read();
  const [later] = await read(3_600_000);
  await bench.round();
  expect(first).toHaveLength(1);
  expect(soon).toEqual(first);
  expect(later).toMatchObject({ at: first[0]?.at, head: first[0]?.head, list: expect.stringContaining("late-") });
  expect(first[0]?.list).not.toContain("late-");
  expect(bench.hub.readText(1).body).toContain(later?.digest);
});

test("10.2 after a restart a text that is still true is not written again", async () => {
  const bench = openStagePullBench();
  await bench.round();
  await bench.round();
  const before = [...bench.hub.edits];
  bench.restart();
  await bench.round();
  await bench.round();
  expect(bench.hub.edits).toEqual(before);
});
