import { type Scm, ScmRefused, ScmUnavailable } from "#libs/scm";
import { makeStop } from "#test/world/build";
import { describe, expect, test } from "vitest";

import { type CommentBench, openCommentBench } from "#test/flow/campaign/comment-bench";

function listStops(bench: CommentBench): readonly string[] {
  return Object.values(bench.ledger().stops).map(
    ({ scope, strength, who, why, cause, resume }) =>
      `${cause} ${scope} ${strength} ${who}: ${why}${resume === undefined ? "" : ` (resumed by ${resume.who})`}`,
  );
}

/** Writes a comment on the pull request; returns its id. */
function say(bench: CommentBench, body: string, author = "ana"): number {
  bench.pass(1000);
  return bench.scm.say(bench.pull.number, { author, body });
}

describe("a change that a person may request", () => {
  const cases: readonly { readonly body: string; readonly isMerged?: boolean; readonly want: readonly string[] }[] = [
    { body: "/meshroll pause 5xx", want: ["verb campaign/istio-new move ana: 5xx"] },
    { body: "/meshroll hold not now", want: ["verb campaign/istio-new propose ana: not now"] },
    { body: "/meshroll rollback INC-1", isMerged: true, want: ["rollback run/686561640000 move ana: INC-1"] },
  ];

  test.each(cases)("7.5 $body becomes a record of the ledger, and is answered", async ({ body, isMerged, want }) => {
    const bench = await openCommentBench({ isMerged: isMerged ?? false });
    const id = say(bench, body);
    await bench.settle();
    expect(listStops(bench)).toEqual(want);
    expect(Object.keys(bench.ledger().requests)).toEqual([`comment-${id}`]);
    expect(await bench.reply()).toContain(`✔ **ana** asked \`${body}\``);
    expect(bench.writes).toEqual(["comment 1"]);
  });

  test("7.5 what the ledger knows is never carried out again, however often the comment is read, edited or the bus wiped", async () => {
    const bench = await openCommentBench();
    const id = say(bench, "/meshroll pause 5xx");
    await bench.settle();
    const sequence = bench.ledger().sequence;
    bench.kill();
    await bench.clearBus();
    await bench.settle();
    bench.scm.editComment(id, "/meshroll pause something else");
    bench.kill();
    await bench.settle();
    expect([bench.ledger().sequence, listStops(bench).length, bench.writes]).toEqual([sequence, 1, ["comment 1"]]);
  });

  test("resume ends the pauses of the campaign and its runs, unhold its holds and those that rollbacks left", async () => {
    const stops = {
      a: makeStop({ id: "a", scope: "campaign/istio-new" }),
      b: makeStop({ id: "b", scope: "campaign/istio-new", strength: "propose" }),
      c: makeStop({ id: "c", scope: "bucket/production", cause: "rolledBack", rollbackOf: "x" }),
      d: makeStop({ id: "d", scope: "bucket/production" }),
      e: makeStop({ id: "e", scope: "cluster/one" }),
    };
    const bench = await openCommentBench({ stops });
    say(bench, "/meshroll resume fixed");
    await bench.settle();
    const resumed = () =>
      Object.values(bench.ledger().stops)
        .filter(({ resume }) => resume !== undefined)
        .map(({ id }) => id);
    expect(resumed()).toEqual(["a"]);
    say(bench, "/meshroll unhold");
    await bench.settle();
    expect(resumed()).toEqual(["a", "b", "c"]);
    say(bench, "/meshroll resume once more");
    await bench.settle();
    expect(await bench.reply()).toContain("nothing to resume: no pause on campaign/istio-new");
  });
});

describe("7.5 who may ask", () => {
  const table: readonly {
    readonly name: string;
    readonly author: string;
    readonly body: string;
    readonly wantPlaced: boolean;
    readonly wantReply: string;
  }[] = [
    { name: "a writer", author: "bob", body: "/meshroll pause x", wantPlaced: true, wantReply: "✔" },
    { name: "a member of the owning team", author: "ana", body: "/meshroll pause x", wantPlaced: true, wantReply: "✔" },
    { name: "an owner by name", author: "Olga", body: "/meshroll hold x", wantPlaced: true, wantReply: "✔" },
    {
      name: "a stranger",
      author: "eve",
      body: "/meshroll pause x",
      wantPlaced: false,
      wantReply: "it needs write access to this repository, or to be one of team:mesh, user:olga",
    },
    {
      name: "an owner, for more than the campaign",
      author: "ana",
      body: "/meshroll pause cluster/one x",
      wantPlaced: false,
      wantReply: "it needs write access to this repository.",
    },
    {
      name: "an owner, for another campaign",
      author: "ana",
      body: "/meshroll pause campaign/other x",
      wantPlaced: false,
      wantReply: "it needs write access to this repository.",
    },
    { name: "a stranger who asks for help", author: "eve", body: "/meshroll help", wantPlaced: false, wantReply: "✔" },
    {
      name: "a stranger who uses explain",
      author: "eve",
      body: "/meshroll explain shop",
      wantPlaced: false,
      wantReply: "the entry `production` decides",
    },
  ];

  test.each(table)("$name: $body", async ({ author, body, wantPlaced, wantReply }) => {
    const bench = await openCommentBench();
    bench.scm.setPermission("Olga", "none");
    say(bench, body, author);
    await bench.settle();
    expect(listStops(bench).length > 0).toBe(wantPlaced);
    // Without the invisible characters that keep names from becoming mentions.
    expect((await bench.reply()).replaceAll("&#8203;", "").replaceAll("\\", "")).toContain(wantReply);
    expect(await bench.reply()).toContain(wantReply.startsWith("it needs") ? "✖" : "✔");
  });
});

describe("what is not carried out", () => {
  test("a machine's comment, and one that begins with our marker", async () => {
    const bench = await openCommentBench();
    bench.scm.say(bench.pull.number, { author: "dependabot[bot]", body: "/meshroll pause x", bot: true });
    say(bench, "<!-- meshroll:answers -->\n/meshroll pause x", "bob");
    await bench.settle();
    expect([listStops(bench), bench.writes]).toEqual([[], []]);
  });

  test("a comment older than a day, read by a planner that was away", async () => {
    const bench = await openCommentBench();
    say(bench, "/meshroll pause x", "bob");
    bench.pass(25 * 3_600_000);
    await bench.settle();
    expect([listStops(bench), bench.writes]).toEqual([[], []]);
  });

  test("a rollback before anything was merged, with what to do instead", async () => {
    const bench = await openCommentBench();
    say(bench, "/meshroll rollback INC", "bob");
    await bench.settle();
    expect(listStops(bench)).toEqual([]);
    expect(await bench.reply()).toContain("was not merged yet");
  });

  test("a change while there is no ledger", async () => {
    const bench = await openCommentBench({ noLedger: true });
    say(bench, "/meshroll pause x", "bob");
    await bench.round();
    expect(await bench.reply()).toContain("`meshroll init` first");
  });
});

test("on the dashboard a pause means all", async () => {
  const bench = await openCommentBench();
  const draft = { title: "Mesh rollouts", body: "<!-- meshroll:dashboard -->\nx", label: "meshroll" };
  const number = await bench.scm.as("meshroll").putIssue(draft.body, draft);
  bench.scm.say(number, { author: "bob", body: "/meshroll pause everything burns" });
  await bench.settle();
  expect(listStops(bench)).toEqual(["verb all move bob: everything burns"]);
  expect(await bench.reply(number)).toContain("✔");
});

test("a check's plan in a comment mentions no account and contains none of our markers", async () => {
  const bench = await openCommentBench();
  const { headSha } = bench.pull;
  const summary = "held by **ana**: @acme/mesh see #7 <!-- meshroll:answered 2 3 4 -->";
  const check = { name: "meshroll/plan", headSha, state: "failure", title: "held @here", summary } as const;
  await bench.scm.as("meshroll").postCheck(check);
  say(bench, "/meshroll plan", "eve");
  await bench.settle();
  const reply = await bench.reply();
  expect(reply).toContain("see #");
  expect(reply).not.toMatch(/@\w|#7/);
  say(bench, "/meshroll help", "eve");
  await bench.settle();
  expect(await bench.reply()).toContain("asked `/meshroll help`");
});

test("a writer's rerender resets the branch, and is answered once that is done", async () => {
  const bench = await openCommentBench();
  say(bench, "/meshroll rerender", "bob");
  await bench.round();
  expect(await bench.reply()).toBe("");
  await bench.round();
  expect(bench.rerendered).toHaveLength(2);
  expect(await bench.reply()).toContain("says again what meshroll proposes");
});

test("a rerender that is refused or takes too long is answered", async () => {
  const refused = await openCommentBench();
  refused.rerenderEnd = "refused";
  say(refused, "/meshroll rerender", "bob");
  await refused.settle();
  expect(await refused.reply()).toContain("`git push origin --delete meshroll/istio-new/prod-100`");
  const stuck = await openCommentBench();
  stuck.rerenderEnd = "pending";
  say(stuck, "/meshroll rerender", "bob");
  for (let round = 0; round < 30; round += 1) {
    stuck.pass(15_000);
    await stuck.round();
  }
  expect(await stuck.reply()).toContain("could not be done in time");
});

test("many commands on one pull request are one reply, each answered once", async () => {
  const bench = await openCommentBench();
  for (let index = 0; index < 20; index += 1) say(bench, `/meshroll explain ns-${index}`, "eve");
  await bench.settle();
  expect((await bench.scm.as("eve").comments(bench.pull.number)).length).toBe(21);
  expect(await bench.reply()).toContain("ns-19");
  expect(bench.writes).toHaveLength(1);
});

/** Wraps every call of the SCM; the call with the number `turn` fails. */
function breakAt(scm: Scm, turn: number, fault: () => Error): Scm {
  let count = 0;
  return new Proxy(scm, {
    get: (target, name: keyof Scm) => {
      const work = target[name] as (...given: readonly unknown[]) => Promise<unknown>;
      return async (...given: readonly unknown[]) => {
        count += 1;
        // After the call, as when its answer is lost.
        const answer = await work(...given);
        if (count === turn) throw fault();
        return answer;
      };
    },
  });
}

test("after a kill at any call and a restart the verb is carried out once, and one reply says so", async () => {
  for (let turn = 1; turn <= 12; turn += 1) {
    const bench = await openCommentBench();
    const whole = bench.through;
    const id = say(bench, "/meshroll pause 5xx");
    bench.through = breakAt(whole, turn, () => new ScmUnavailable("killed"));
    for (let step = 0; step < 4; step += 1) {
      await bench.round().catch(() => {
        bench.kill();
        bench.through = whole;
      });
      await bench.decide();
    }
    await bench.settle();
    expect([turn, listStops(bench)]).toEqual([turn, ["verb campaign/istio-new move ana: 5xx"]]);
    expect([turn, bench.writes.length]).toEqual([turn, 1]);
    expect(await bench.reply()).toContain(`answer ${id} -->`);
  }
});

test("a locked conversation does not delay the others", async () => {
  const bench = await openCommentBench();
  const whole = bench.through;
  say(bench, "/meshroll help", "eve");
  say(bench, "/meshroll pause 5xx");
  bench.through = { ...whole, putComment: async () => Promise.reject(new ScmRefused("locked", "unlock it")) };
  await bench.settle();
  expect(listStops(bench)).toEqual(["verb campaign/istio-new move ana: 5xx"]);
});
