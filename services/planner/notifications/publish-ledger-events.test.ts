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

/** A ledger, and a publisher whose bus takes what `takes` says. */
async function openBench() {
  const remote = createFakeRemote();
  remote.commitToMain({ at: 0, files: { "rollouts.yml": "production:\n  old: 100\n" } });
  const repository = openFakeRepository(remote);
  const [told, faults] = [[], []] as [string[], string[]];
  const bench: { takes: (event: Event) => boolean } = { takes: () => true };
  const publisher = createLedgerPublisher({
    repository,
    publish: async (events) => {
      for (const event of events) {
        if (!bench.takes(event)) return false;
        told.push(event.id);
      }
      return true;
    },
    log: { warn: (...said: readonly unknown[]) => void faults.push(String(said[1])) },
  });
  let commits = 0;
  const commit = (events: string, at = 0): string =>
    remote.commitTo(ledgerBranch, { at, files: { heads: `${(commits += 1)}`, ...(events === "" ? {} : { events }) } });
  const commitStops = (...stops: readonly string[]): string => commit(printEvents(stops.map(placed)));
  const tell = async (head: string) => {
    await repository.fetch();
    return publisher.catchUp(makeSnapshot({ ledger: makeLedger({ head }) }));
  };
  const rewind = async (head: string) => {
    await repository.fetch();
    await publisher.rewind({ ledger: makeLedger({ head }) });
  };
  return Object.assign(bench, { publisher, commit, commitStops, tell, rewind, told, faults });
}

test("what the commits since then caused is told once, in their order, and how far it came is known", async () => {
  const { publisher, commit, commitStops, tell, told } = await openBench();
  publisher.restore(commitStops("before"));
  commitStops("a", "b");
  commit("");
  commitStops("c");
  const head = commit("");
  expect([await tell(head), await tell(head)]).toEqual([head, head]);
  expect(told).toEqual(["stop-a", "stop-b", "stop-c"]);
});

test("where nothing is known of what was told, it begins with what comes next", async () => {
  const { commitStops, tell, told } = await openBench();
  await tell(commitStops("before"));
  await tell(commitStops("a"));
  expect(told).toEqual(["stop-a"]);
});

test("what the bus does not take is told later, and what comes after it not before", async () => {
  const bench = await openBench();
  const { publisher, commitStops, tell, told } = bench;
  publisher.restore(commitStops("before"));
  const first = commitStops("a");
  commitStops("b");
  const head = commitStops("c");
  bench.takes = ({ id }) => id !== "stop-b";
  expect([await tell(head), [...told]]).toEqual([first, ["stop-a"]]);
  bench.takes = () => true;
  expect([await tell(head), told]).toEqual([head, ["stop-a", "stop-b", "stop-c"]]);
});

test.each([
  { name: "no JSON", events: "{" },
  { name: "an event that is none", events: '{"version":1,"events":[{"type":"stop.v1.placed","id":"x"}]}' },
  { name: "another version's", events: '{"version":2,"events":[]}' },
])("a commit whose events cannot be read is logged, and the others are told: $name", async ({ events }) => {
  const { publisher, commit, commitStops, tell, told, faults } = await openBench();
  publisher.restore(commitStops("before"));
  commit(events);
  const head = commitStops("a");
  expect(await tell(head)).toBe(head);
  expect([told, faults]).toEqual([["stop-a"], ["people are not told what this commit recorded"]]);
});

test("a ledger that was rewritten is told from its newest commit on", async () => {
  const { publisher, commitStops, tell, told, faults } = await openBench();
  publisher.restore("f".repeat(40));
  const head = commitStops("a");
  expect([await tell(head), told, faults.length]).toEqual([head, [], 1]);
});

test("a bus that was wiped is told the last hour again", async () => {
  const { commit, tell, rewind, told } = await openBench();
  const commitStop = (stop: string, at: number): string => commit(printEvents([placed(stop)]), at);
  commitStop("old", hour);
  commitStop("a", 3 * hour - hour / 2);
  const head = commitStop("b", 3 * hour);
  await rewind(head);
  await tell(head);
  expect(told).toEqual(["stop-a", "stop-b"]);
});

test("of a long way one reconcile tells fifty commits", async () => {
  const { publisher, commitStops, tell, told } = await openBench();
  publisher.restore(commitStops("before"));
  const heads = Array.from({ length: 60 }, (_, index) => commitStops(`${index}`));
  const head = heads.at(-1) ?? "";
  expect([await tell(head), told.length]).toEqual([heads[49], 50]);
  expect([await tell(head), told.length]).toEqual([head, 60]);
});
