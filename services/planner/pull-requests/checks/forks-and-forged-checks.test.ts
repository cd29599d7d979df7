import { fileAt, openPullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { makeStop } from "#test/world/build";
import { wordsOf } from "#test/world/words";
import { describe, expect, test } from "vitest";

describe("10.1 a pull request from a fork", () => {
  /** A fork of mallory's that proposes 100 %; fetches of its pull request are counted. */
  function openFork() {
    const bench = openPullRequestBench();
    const fetched: string[] = [];
    bench.restart({
      strangers: (repository) => ({
        ...repository,
        fetchPullRequest: async (number, head) => {
          fetched.push(head);
          return repository.fetchPullRequest(number, head);
        },
      }),
    });
    const first = bench.remote.commitTo("forks/mallory/x", {
      files: { "rollouts.yml": fileAt(100) },
      author: "mallory",
    });
    const number = bench.hub.openFromFork("mallory", "x");
    return { bench, fetched, first, number };
  }

  test("10.1 is reported, and fetched and judged only when a person with write access asks for it", async () => {
    const { bench, fetched, number } = openFork();
    bench.hub.setPermission("mallory", "read");
    bench.hub.review(number, { author: "mallory", state: "commented", line: "/meshroll judge" });
    bench.hub.review(number, { author: "ben", state: "commented", line: "what is this?" });
    const waits = await bench.round();
    expect([fetched, bench.hub.writes]).toEqual([[], []]);
    expect(waits.map(({ reason }) => [reason.code, wordsOf(reason)?.command])).toEqual([
      ["ForkUnasked", `gh pr review ${number} --comment --body "/meshroll judge"`],
    ]);
  });

  test("10.1 is judged at the head that a writer asked for, and at no later one", async () => {
    const { bench, fetched, first, number } = openFork();
    bench.hub.review(number, { author: "ben", state: "commented", line: "/meshroll judge" });
    const waits = await bench.round();
    const checks = await bench.checks(first);
    bench.remote.commitTo("forks/mallory/x", { files: { "rollouts.yml": fileAt(90) }, author: "mallory" });
    const later = await bench.round();
    expect([waits, checks, fetched]).toEqual([[], { plan: "success", approvals: "pending" }, [first]]);
    expect(later.map(({ reason }) => reason.code)).toEqual(["ForkUnasked"]);
  });
});

describe("10.1 a check with our name that is not ours", () => {
  test("10.1 is replaced in the next round, and its author is reported", async () => {
    const bench = openPullRequestBench();
    const { headSha, number } = await bench.propose("mallory/more", { "rollouts.yml": fileAt(100) });
    await bench.round();
    const forged = { name: "meshroll/approvals", headSha, state: "success", title: "1 of 1", summary: "" } as const;
    await bench.hub.as("mallory").postCheck(forged);
    const during = await bench.checks(headSha);
    const waits = await bench.round();
    expect([during["approvals"], await bench.checks(headSha)]).toEqual([
      "success",
      { plan: "success", approvals: "pending" },
    ]);
    expect(waits.map(({ scope, reason }) => [scope, reason.code, wordsOf(reason)?.owner])).toEqual([
      [`pull/${number}`, "CheckForeign", "mallory"],
    ]);
    expect(bench.hub.writes).toHaveLength(4);
    await bench.round();
    expect(bench.hub.writes).toHaveLength(4);
  });

  test("10.1 is replaced each time it is posted, even when the writes of its head are used up", async () => {
    const bench = openPullRequestBench();
    const { headSha } = await bench.propose("mallory/more", { "rollouts.yml": fileAt(100) });
    for (let turn = 0; turn < 12; turn += 1) {
      if (turn % 2 === 0) bench.stops.set("h", makeStop({ id: "h", scope: "all", why: `again ${turn}` }));
      else bench.stops.delete("h");
      await bench.hub
        .as("mallory")
        .postCheck({ name: "meshroll/plan", headSha, state: "success", title: "x", summary: "" });
      await bench.round();
    }
    expect(await bench.checks(headSha)).toEqual({ plan: "failure", approvals: "pending" });
  });

  test("10.1 that was there before this process started is not taken for ours", async () => {
    const bench = openPullRequestBench();
    const { headSha } = await bench.propose("mallory/more", { "rollouts.yml": fileAt(100) });
    const forged = { name: "meshroll/approvals", headSha, state: "success", title: "1 of 1", summary: "" } as const;
    await bench.hub.as("mallory").postCheck(forged);
    await bench.round();
    expect(await bench.checks(headSha)).toEqual({ plan: "success", approvals: "pending" });
  });
});
