import type { Scm } from "#libs/scm";
import { describe, expect, test } from "vitest";

import { type CommentBench, openCommentBench } from "#test/flow/campaign/comment-bench";

/** Lists of comments cost no time here, and are counted apart. */
const lists: readonly string[] = ["recentComments", "comments"];
/** The pauses that Octokit keeps after writes, ms. */
const costs: Readonly<Record<string, number>> = { react: 1000, putComment: 1000 };

/** Counts calls and lets time pass as a slow GitHub does: 100 ms for a read, a second for a write. */
function count(bench: CommentBench): { readonly calls: string[]; readonly listed: number[] } {
  const calls: string[] = [];
  const listed: number[] = [];
  bench.through = new Proxy(bench.through, {
    get: (target, name: keyof Scm) => {
      const work = target[name] as (...given: readonly unknown[]) => Promise<unknown>;
      return async (...given: readonly unknown[]) => {
        if (!lists.includes(name)) calls.push([name, ...given.slice(0, 1)].join(" "));
        bench.pass(lists.includes(name) ? 0 : (costs[name] ?? 100));
        const answer = await work(...given);
        if (name === "recentComments" && Array.isArray(answer)) listed.push(answer.length);
        return answer;
      };
    },
  });
  return { calls, listed };
}

/** Writes comments of accounts outside a public repository. */
function flood(bench: CommentBench, many: number, accounts: number, body = "/meshroll pause me"): readonly number[] {
  return Array.from({ length: many }, (_, index) => {
    const author = `eve-${index % accounts}`;
    bench.scm.setPermission(author, "read");
    return bench.scm.say(bench.pull.number, { author, body, stranger: true });
  });
}

const pause = "/meshroll pause 5xx in checkout";

const nothing = (): void => undefined;

interface Story {
  readonly before?: (bench: CommentBench) => void;
  readonly after?: (bench: CommentBench) => void;
  /** GitHub does not report that the writer belongs to the repository. */
  readonly isHidden?: true;
}

/** How long it takes until a writer's pause is on the bus, ms. */
async function timePause({ before = nothing, after = nothing, isHidden }: Story): Promise<number> {
  const bench = await openCommentBench();
  before(bench);
  bench.pass(5000);
  count(bench);
  const comment = { author: "bob", body: pause, ...(isHidden === true ? { stranger: true as const } : {}) };
  const id = `comment-${bench.scm.say(bench.pull.number, comment)}`;
  after(bench);
  const from = bench.now();
  for (let round = 0; round < 30 && !bench.placedAt.has(id); round += 1) await bench.round();
  return (bench.placedAt.get(id) ?? Number.NaN) - from;
}

interface Case {
  readonly name: string;
  readonly act: (bench: CommentBench) => void;
  /** By how much more time it may take, ms. */
  readonly later?: number;
}

const cases: readonly Case[] = [
  { name: "20 comments of one stranger", act: (bench) => flood(bench, 20, 1) },
  { name: "500 comments of one stranger", act: (bench) => flood(bench, 500, 1) },
  { name: "500 comments of 500 strangers", act: (bench) => flood(bench, 500, 500) },
  { name: "500 questions of 500 strangers", act: (bench) => flood(bench, 500, 500, "/meshroll status") },
  {
    name: "200 edited comments of strangers",
    act: (bench) => {
      for (const id of flood(bench, 200, 20, "hello")) bench.scm.editComment(id, "/meshroll pause me");
    },
  },
  {
    name: "200 questions of a writer",
    act: (bench) => {
      for (let index = 0; index < 200; index += 1)
        bench.scm.say(bench.pull.number, { author: "ben", body: "/meshroll status" });
    },
  },
  {
    // Accounts take turns: the first command of each costs one call.
    name: "90 pauses of a writer on another pull request",
    later: 100,
    act: (bench) => {
      for (let index = 0; index < 90; index += 1)
        bench.scm.say(2000 + index, { author: "ben", body: "/meshroll pause cluster/two x" });
    },
  },
];

describe("7.5 a writer's pause is placed as fast as without other comments", () => {
  test.each(cases)("$name", async ({ act, later = 0 }) => {
    const alone = await timePause({});
    const [before, after] = [await timePause({ before: act }), await timePause({ after: act })];
    expect(alone).toBe(300);
    expect(Math.max(before, after)).toBeLessThanOrEqual(alone + later);
  });

  test("a writer whose membership GitHub hides, among 500 strangers: within a minute", async () => {
    const many = (bench: CommentBench): unknown => flood(bench, 500, 500);
    expect(await timePause({ before: many, after: many, isHidden: true })).toBeLessThan(60_000);
  });
});

test("7.5 a round writes at most three replies, so that a new stop does not wait for more", async () => {
  const bench = await openCommentBench();
  for (let index = 0; index < 7; index += 1) {
    const body = `<!-- meshroll:dashboard -->${index}`;
    const number = await bench.scm.as("meshroll").putIssue(body, { title: "Mesh", body, label: "meshroll" });
    bench.scm.say(number, {
      author: index < 2 ? "ben" : `eve-${index}`,
      body: "/meshroll help",
      ...(index < 2 ? {} : { stranger: true as const }),
    });
  }
  const written: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    await bench.round();
    written.push(bench.writes.length);
  }
  expect(written).toEqual([3, 6, 7, 7]);
});

describe("7.5 accounts without rights", () => {
  /** Strangers write five comments a minute. */
  async function live(bench: CommentBench, minutes: number, accounts: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      for (let index = 0; index < 5; index += 1) {
        const author = `eve-${(minute * 5 + index) % accounts}`;
        bench.scm.say(bench.pull.number, { author, body: "/meshroll pause me", stranger: true });
      }
      for (let second = 0; second < 60; second += 20) {
        await bench.round();
        bench.pass(20_000);
      }
    }
  }

  test("are answered together and once an hour, even across restarts", async () => {
    const bench = await openCommentBench();
    const { calls } = count(bench);
    flood(bench, 500, 500);
    await live(bench, 30, 500);
    const first = await bench.reply();
    expect(bench.writes).toHaveLength(1);
    bench.kill();
    await live(bench, 25, 500);
    expect([bench.writes.length, await bench.reply()]).toEqual([1, first]);
    await live(bench, 65, 500);
    expect(bench.writes).toHaveLength(2);
    expect(first.match(/it needs write access to this repository/gu)).toHaveLength(5);
    expect(first).toMatch(/and 5\d\d more\./u);
    expect(await bench.reply()).toContain("eve");
    expect(calls.filter((each) => each.startsWith("react"))).toEqual([]);
  });

  test("cost one call for each account, and are not read again", async () => {
    const bench = await openCommentBench();
    const { calls, listed } = count(bench);
    flood(bench, 500, 20);
    flood(bench, 500, 500, "/meshroll explain shop");
    for (let round = 0; round < 10; round += 1) {
      await bench.round();
      bench.pass(30_000);
    }
    expect(calls.filter((each) => each.startsWith("permissionOf"))).toHaveLength(20);
    listed.length = 0;
    for (let round = 0; round < 60; round += 1) {
      await bench.round();
      bench.pass(30_000);
    }
    // The newest comment in the list is our own reply.
    expect(Math.max(...listed)).toBe(1);
  });

  test("are recognised by our reply after a kill: rights are read again, and nothing is written", async () => {
    const bench = await openCommentBench();
    flood(bench, 20, 20);
    bench.pass(120_000);
    flood(bench, 1, 1);
    const { calls } = count(bench);
    await bench.round();
    const asked = (): number => calls.filter((each) => each.startsWith("permissionOf")).length;
    expect([asked(), bench.writes.length]).toEqual([20, 1]);
    bench.kill();
    await bench.round();
    expect([asked(), bench.writes.length]).toEqual([40, 1]);
  });

  test("are judged once a minute, however often they comment", async () => {
    const bench = await openCommentBench();
    const { calls } = count(bench);
    for (let round = 0; round < 120; round += 1) {
      flood(bench, 1, 1);
      await bench.round();
      bench.pass(1000);
    }
    expect(calls.filter((each) => each.startsWith("findPullRequest")).length).toBeLessThanOrEqual(4);
  });

  test("are answered with what they asked for, if only a right was missing", async () => {
    const bench = await openCommentBench();
    bench.scm.say(bench.pull.number, { author: "mia", body: "/meshroll explain shop", stranger: true });
    flood(bench, 2, 2);
    bench.scm.say(bench.pull.number, { author: "ben", body: "/meshroll help" });
    await bench.round();
    const reply = await bench.reply();
    for (const part of ["the entry `production` decides", "Not carried out", "**ben**"]) expect(reply).toContain(part);
    expect(reply).not.toContain("more.");
    expect(reply.indexOf("**ben**")).toBeLessThan(reply.indexOf("**eve"));
    expect(bench.writes).toHaveLength(1);
  });
});
