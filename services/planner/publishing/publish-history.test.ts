import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createVirtualClock } from "#fakes/runtime";
import { HistoryFold, historyKeys } from "#libs/events";
import { ledgerBranch } from "#libs/ledger";
import { makeLedger, makeSnapshot } from "#test/world/build";
import { expect, it } from "vitest";

import { createHistoryPublisher } from "./publish-history.ts";

/** A ledger, a bus, and a publisher that is asked to publish the ledger's head. */
async function openBench() {
  const [remote, server, clock] = [createFakeRemote(), createFakeBusServer(), createVirtualClock()];
  const repository = openFakeRepository(remote);
  const bus = openFakeBus(server);
  const bucket = bus.bucket("status");
  const faults: string[] = [];
  const state = { leads: true, reads: [] as (string | undefined)[], puts: [] as string[], isBroken: false };
  const heads: string[] = [];
  const publish = createHistoryPublisher({
    bucket: {
      ...bucket,
      put: async (key, value) => {
        state.puts.push(key);
        return bucket.put(key, value);
      },
    },
    repository: {
      firstParents: async (from, to) => {
        state.reads.push(from);
        if (state.isBroken) throw new Error("git does not answer");
        return repository.firstParents(from, to);
      },
    },
    clock,
    log: { warn: (...said: readonly unknown[]) => void faults.push(String(said[1])) },
    leads: () => state.leads,
  });
  const record = async (count: number, sentence = "wave opened"): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      const place = `${heads.length + 1}`;
      const message = `${sentence} ${place}\n\nActor: meshroll\nCause: WaveOpened\nAbout: campaign/c\n`;
      heads.push(remote.commitTo(ledgerBranch, { files: { heads: place }, message }));
    }
    // The ledger has no commit of main: there was no main when it began.
    if (remote.head("main") === undefined) remote.commitToMain({ files: { "rollouts.yml": "" } });
    await repository.fetch();
  };
  const head = (): string => heads.at(-1) ?? "";
  const reconcile = async (ms = 1000): Promise<void> => {
    publish({ snapshot: makeSnapshot({ ledger: makeLedger({ head: head() }) }), decisions: [] });
    await clock.advance(ms);
  };
  const read = async () => {
    const fold = new HistoryFold();
    const stop = new AbortController();
    const onEntry = ({ key, value = "" }: { readonly key: string; readonly value?: string }) =>
      void fold.apply(key, value);
    await bucket.watch(historyKeys, { onEntry, onReady: () => undefined, onReset: () => undefined }, stop.signal);
    await clock.settle();
    stop.abort();
    return fold.log();
  };
  const bench = { publish, record, reconcile, read, faults, bucket, remote, server, heads, head };
  return Object.assign(state, bench);
}

it("the ledger's transitions are published, newest first, and then only what is new", async () => {
  const bench = await openBench();
  await bench.record(150);
  await bench.reconcile();
  const log = await bench.read();
  expect([log?.stamp, log?.lines.length, log?.isCut]).toEqual([bench.head(), 150, false]);
  expect(log?.lines[0]).toMatchObject({ sentence: "wave opened 150", actor: "meshroll", about: ["campaign/c"] });
  expect(bench.puts).toEqual(["history.0", "history.1", "history.head"]);
  const before = bench.head();
  await bench.record(1);
  await bench.reconcile();
  expect((await bench.read())?.lines).toHaveLength(151);
  expect(bench.puts.slice(3)).toEqual(["history.1", "history.head"]);
  expect(bench.reads).toEqual([undefined, before]);
});

it("while nothing is recorded nothing is read or written, but a wiped bucket is filled again within a minute", async () => {
  const bench = await openBench();
  await bench.record(150);
  await bench.reconcile();
  for (let second = 0; second < 30; second += 1) await bench.reconcile();
  expect([bench.reads.length, bench.puts.length]).toEqual([1, 3]);
  bench.server.wipe();
  for (let second = 0; second < 31; second += 1) await bench.reconcile();
  expect((await bench.read())?.lines).toHaveLength(150);
  expect(bench.reads).toHaveLength(1);
});

it("a wiped bucket is filled again within a minute also while transitions are recorded all the time", async () => {
  const bench = await openBench();
  await bench.record(250);
  await bench.reconcile();
  bench.server.wipe();
  for (let time = 0; time < 7; time += 1) {
    await bench.record(1);
    await bench.reconcile(10_000);
  }
  expect((await bench.read())?.lines).toHaveLength(257);
});

it("of a ledger that was written again from an earlier commit only the new line is published", async () => {
  const bench = await openBench();
  await bench.record(130);
  await bench.reconcile();
  bench.remote.force(ledgerBranch, bench.heads[119] ?? "");
  await bench.record(2, "gate passed");
  await bench.reconcile();
  const log = await bench.read();
  expect(log?.lines).toHaveLength(122);
  expect(log?.lines.slice(0, 3).map(({ sentence }) => sentence)).toEqual([
    "gate passed 132",
    "gate passed 131",
    "wave opened 120",
  ]);
});

it("values of transitions that are not published any more are removed", async () => {
  const bench = await openBench();
  await bench.record(1);
  await bench.bucket.put("history.7", "{}");
  await bench.bucket.put("fleet", "{}");
  await bench.reconcile();
  expect([...(await bench.bucket.keys(historyKeys))].toSorted()).toEqual(["history.0", "history.head"]);
});

it("a failure is logged once, the next try is five seconds later, and a reconcile never waits", async () => {
  const bench = await openBench();
  await bench.record(3);
  bench.isBroken = true;
  for (let second = 0; second < 11; second += 1) await bench.reconcile();
  expect([bench.faults.length, bench.reads.length]).toEqual([1, 3]);
  bench.isBroken = false;
  for (let second = 0; second < 5; second += 1) await bench.reconcile();
  expect((await bench.read())?.lines).toHaveLength(3);
});

it("a bus that does not answer delays the history, and what it has not got comes later", async () => {
  const bench = await openBench();
  await bench.record(3);
  bench.server.disconnect();
  await bench.reconcile(5000);
  expect(bench.faults).toHaveLength(1);
  bench.server.connect();
  await bench.reconcile(5000);
  expect((await bench.read())?.lines).toHaveLength(3);
});

it("a planner that does not lead any more writes and removes nothing", async () => {
  const bench = await openBench();
  await bench.record(3);
  await bench.bucket.put("history.7", "{}");
  await bench.bucket.put("fleet", "{}");
  bench.leads = false;
  await bench.reconcile();
  expect([bench.puts, bench.faults]).toEqual([[], []]);
  expect([...(await bench.bucket.keys(historyKeys))]).toEqual(["history.7"]);
});

const hidden = "a1B2c3D4e5";
it.each([
  { name: "a token", sentence: `merged with ghp_${hidden.repeat(4)}` },
  { name: "a login where the sentence is cut", sentence: `${"x".repeat(1978)} https://u:${hidden}@host` },
  { name: "a token without an end", sentence: `token: '${hidden}${hidden}` },
])("secrets in a commit do not get onto the bus: $name", async ({ sentence }) => {
  const bench = await openBench();
  await bench.record(2, sentence);
  await bench.reconcile();
  expect((await bench.bucket.get("history.0"))?.value).not.toContain(hidden.slice(0, 4));
  expect((await bench.read())?.lines).toHaveLength(2);
});
