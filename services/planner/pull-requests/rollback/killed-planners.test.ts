import { GitOverLimit, type RolloutsRepository } from "#libs/git";
import { makeMortal } from "#test/flow/parts/make-mortal";
import {
  fileAt,
  openPullRequestBench,
  type PullRequestBench,
  type Wraps,
} from "#test/flow/campaign/pull-request-bench";
import { expect, test } from "vitest";

/** Kills a process at step `deadline` of a rollback, and lets another one continue. `isKilled`: it had so many steps. */
async function killAt(deadline: number): Promise<{ readonly bench: PullRequestBench; readonly isKilled: boolean }> {
  const bench = openPullRequestBench();
  bench.askRollback();
  let steps = 0;
  const tick = (): void => {
    steps += 1;
    // After a kill no call works.
    if (steps >= deadline) throw new Error("killed");
  };
  bench.restart({ scm: (scm) => makeMortal(scm, tick), repository: (git) => makeMortal(git, tick) });
  await bench.round().catch(() => undefined);
  bench.restart();
  for (let round = 0; round < 3; round += 1) await bench.round();
  return { bench, isKilled: steps >= deadline };
}

test("2.2 after a kill at any step another process continues a rollback, and does nothing twice", async () => {
  let deadline = 1;
  for (let isKilled = true; isKilled; deadline += 1) {
    const killed = await killAt(deadline);
    const { bench, isKilled: again } = killed;
    isKilled = again;
    const pulls = await bench.scm.findPullRequests(`meshroll/rollback/${bench.run.id}`);
    const name = `killed at step ${deadline}`;
    expect([name, bench.readMain(), pulls.map(({ state }) => state)]).toEqual([name, fileAt(0), ["merged"]]);
    expect([name, bench.hub.writes.toSorted()]).toEqual([
      name,
      ["check meshroll/approvals success", "check meshroll/plan success"],
    ]);
    const commits = await bench.repository.firstParents(bench.run.commit, bench.remote.head("main") ?? "");
    expect([name, commits.length]).toEqual([name, 1]);
  }
  // Each call was the last one once: fetch, read, push, open, list, try, check, merge.
  expect(deadline).toBeGreaterThan(30);
});

/** Something of a pull request that a process must not need to remember; `play` may kill it at the worst moment. */
interface MemoryRow {
  readonly value: string;
  /** Returns what people see at the end. */
  readonly play: (bench: PullRequestBench, restart: (wraps?: Wraps) => void) => Promise<unknown>;
  readonly want: unknown;
}

async function readChecks(bench: PullRequestBench, sha: string): Promise<readonly unknown[]> {
  const found = await bench.scm.findChecks(sha);
  return found.map(({ name, state, title }) => `${name} ${state}: ${title}`).toSorted();
}

const rows: readonly MemoryRow[] = [
  {
    value: "rights, teams and authorship as read last",
    async play(bench, restart) {
      const { number, headSha } = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
      bench.hub.review(number, { author: "cleo", state: "approved" });
      await bench.round();
      const before = await bench.checks(headSha);
      // The permission is removed while its cached value still counts; a kill must not prolong that.
      bench.hub.setPermission("cleo", "read");
      restart();
      await bench.clock.advance(60_000);
      await bench.round();
      return { before, after: await bench.checks(headSha), writes: bench.hub.writes };
    },
    want: {
      before: { plan: "success", approvals: "success" },
      after: { plan: "success", approvals: "pending" },
      writes: ["check meshroll/plan success", "check meshroll/approvals success", "check meshroll/approvals pending"],
    },
  },
  {
    value: "heads that could not be judged, and when each is tried next; whose turn it is",
    async play(bench, restart) {
      const bomb = await bench.propose("eve/bomb", { "rollouts.yml": fileAt(60) });
      const good = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
      const refuse = {
        strangers: (repository: RolloutsRepository): RolloutsRepository => ({
          ...repository,
          async tryMerge(main, head, inside) {
            if (head !== bomb.headSha) return repository.tryMerge(main, head, inside);
            throw new GitOverLimit("room", "git needed more memory, time or room than it gets");
          },
        }),
      };
      bench.restart(refuse);
      await bench.round();
      for (let round = 0; round < 3; round += 1) {
        await bench.clock.advance(10_000);
        restart(refuse);
        await bench.round();
      }
      return {
        bomb: await readChecks(bench, bomb.headSha),
        good: await bench.checks(good.headSha),
        writes: bench.hub.writes,
      };
    },
    want: {
      bomb: [
        "meshroll/approvals pending: not counted: the pull request cannot be judged",
        "meshroll/plan failure: cannot be judged: git needed more memory, time or room than it gets",
      ],
      good: { plan: "success", approvals: "pending" },
      writes: [
        "check meshroll/plan failure",
        "check meshroll/approvals pending",
        "check meshroll/plan success",
        "check meshroll/approvals pending",
      ],
    },
  },
];

test.each(rows)("$value: the same checks and writes as without a kill", async ({ play, want }) => {
  const [calm, killed] = [openPullRequestBench(), openPullRequestBench()];
  expect(await play(calm, () => undefined)).toEqual(want);
  expect(await play(killed, (wraps) => killed.restart(wraps))).toEqual(want);
});

test("planners that live for one round each judge all of 120 pull requests in the end", async () => {
  const bench = openPullRequestBench();
  const heads: string[] = [];
  for (let index = 0; index < 120; index += 1)
    heads.push((await bench.propose(`eve/${index}`, { [`notes-${index}.md`]: "x" }, "eve")).headSha);
  const left = async (): Promise<number> => {
    const found = await Promise.all(heads.map(async (sha) => bench.scm.findChecks(sha)));
    return found.filter(({ length }) => length === 0).length;
  };
  for (let rounds = 0; rounds < 30 && (await left()) > 0; rounds += 1) {
    // At an odd interval, as in a crash loop.
    await bench.clock.advance(20_017);
    bench.restart();
    await bench.round();
  }
  expect(await left()).toBe(0);
});
