import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { type Event, makeEvent } from "#libs/events";
import { ledgerBranch, printEvents } from "#libs/ledger";
import { makeLedger, makeSnapshot } from "#test/world/build";
import { expect, test } from "vitest";

import { createLedgerPublisher } from "./publish-ledger-events.ts";

const hour = 3_600_000;

function placed(stop: string): Event {
  return makeEvent("stopPlaced", `stop-${stop}`, 0, { stop, scope: "all", who: "ana", why: "5xx" });
}

/** A ledger, and a publisher whose bus accepts the events that `takes` says. */
async function openBench() {
  const remote = createFakeRemote();
  remote.commitToMain({ at: 0, files: { "rollouts.yml": "production:\n  old: 100\n" } });
  const repository = openFakeRepository(remote);
  const [published, faults] = [[], []] as [string[], string[]];
  const bench: { takes: (event: Event) => boolean } = { takes: () => true };
  const publisher = createLedgerPublisher({
    repository,
    publish: async (events) => {
      for (const event of events) {
        if (!bench.takes(event)) return false;
        published.push(event.id);
      }
      return true;
    },
    log: { warn: (...said: readonly unknown[]) => void faults.push(String(said[1])) },
  });
  let commits = 0;
  const commit = (events: string, at = 0): string =>
    remote.commitTo(ledgerBranch, { at, files: { heads: `${(commits += 1)}`, ...(events === "" ? {} : { events }) } });
  const commitStops = (...stops: readonly string[]): string => commit(printEvents(stops.map(placed)));
  const catchUp = async (head: string) => {
    await repository.fetch();
    return publisher.catchUp(makeSnapshot({ ledger: makeLedger({ head }) }));
  };
  const rewind = async (head: string) => {
    await repository.fetch();
    await publisher.rewind({ ledger: makeLedger({ head }) });
  };
  return Object.assign(bench, { publisher, commit, commitStops, catchUp, rewind, published, faults });
}

test("events of the ledger's new commits are published once, in order, and the newest commit is returned", async () => {
  const { publisher, commit, commitStops, catchUp, published } = await openBench();
  publisher.restore(commitStops("before"));
  commitStops("a", "b");
  commit("");
  commitStops("c");
  const head = commit("");
  expect([await catchUp(head), await catchUp(head)]).toEqual([head, head]);
  expect(published).toEqual(["stop-a", "stop-b", "stop-c"]);
});

test("when nothing is known of earlier events, publishing begins with the next commit", async () => {
  const { commitStops, catchUp, published } = await openBench();
  await catchUp(commitStops("before"));
  await catchUp(commitStops("a"));
  expect(published).toEqual(["stop-a"]);
});

test("events that the bus does not take are published later, before the following ones", async () => {
  const bench = await openBench();
  const { publisher, commitStops, catchUp, published } = bench;
  publisher.restore(commitStops("before"));
  const first = commitStops("a");
  commitStops("b");
  const head = commitStops("c");
  bench.takes = ({ id }) => id !== "stop-b";
  expect([await catchUp(head), [...published]]).toEqual([first, ["stop-a"]]);
  bench.takes = () => true;
  expect([await catchUp(head), published]).toEqual([head, ["stop-a", "stop-b", "stop-c"]]);
});

test.each([
  { name: "no JSON", events: "{" },
  { name: "an invalid event", events: '{"version":1,"events":[{"type":"stop.v1.placed","id":"x"}]}' },
  { name: "another version's", events: '{"version":2,"events":[]}' },
])("a commit with unreadable events is logged, and the others are published: $name", async ({ events }) => {
  const { publisher, commit, commitStops, catchUp, published, faults } = await openBench();
  publisher.restore(commitStops("before"));
  commit(events);
  const head = commitStops("a");
  expect(await catchUp(head)).toBe(head);
  expect([published, faults]).toEqual([["stop-a"], ["people are not notified of what this commit recorded"]]);
});

test("of a rewritten ledger events are published from its newest commit on", async () => {
  const { publisher, commitStops, catchUp, published, faults } = await openBench();
  publisher.restore("f".repeat(40));
  const head = commitStops("a");
  expect([await catchUp(head), published, faults.length]).toEqual([head, [], 1]);
});

test("events of the last hour are published again to a wiped bus", async () => {
  const { commit, catchUp, rewind, published } = await openBench();
  const commitStop = (stop: string, at: number): string => commit(printEvents([placed(stop)]), at);
  commitStop("old", hour);
  commitStop("a", 3 * hour - hour / 2);
  const head = commitStop("b", 3 * hour);
  await rewind(head);
  await catchUp(head);
  expect(published).toEqual(["stop-a", "stop-b"]);
});

test("one reconcile publishes the events of at most fifty commits", async () => {
  const { publisher, commitStops, catchUp, published } = await openBench();
  publisher.restore(commitStops("before"));
  const heads = Array.from({ length: 60 }, (_, index) => commitStops(`${index}`));
  const head = heads.at(-1) ?? "";
  expect([await catchUp(head), published.length]).toEqual([heads[49], 50]);
  expect([await catchUp(head), published.length]).toEqual([head, 60]);
});
