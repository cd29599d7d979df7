import { createModel, fakeCluster } from "#fakes/kube";
import { createVirtualClock } from "#fakes/runtime";
import { testInstallation } from "#libs/input";
import type { RepositorySnapshot } from "#libs/repository";
import { type VerbRequest, type LedgerState, readRecordedStop } from "#libs/plan";
import { createLogger } from "#libs/runtime";
import { makeLedger, makeRun, makeStop, runId, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { createChangeSignal } from "#libs/runtime";
import { reconcileRecordedStops } from "./reconcile-recorded-stops.ts";
import { createTroubles } from "../messages/troubles.ts";

const at = "2026-11-19T12:00:00.000Z";
const map = ["meshroll-system", "meshroll-recorded-stops"] as const;

function makeRequest(id: string, change: Partial<VerbRequest> = {}): VerbRequest {
  return { id, verb: "stop", scope: "all", strength: "move", who: "ana", why: "reconcile", at, ...change };
}

/** One cluster, and the verbs and the ledger that its executor knows, which a test may change. */
function makeBench({ lagMs = 0, random = () => 0 } = {}) {
  const clock = createVirtualClock();
  const model = createModel({ clock });
  model.setConfigMap(map[0], "meshroll-installation", { id: testInstallation });
  const known: { requests: readonly VerbRequest[]; ledger: LedgerState | undefined } = {
    requests: [],
    ledger: makeLedger(),
  };
  const changes = createChangeSignal(clock);
  const troubles = createTroubles(() => undefined);
  const stop = new AbortController();
  const start = async () => {
    const cluster = fakeCluster(model, "one", { lagMs, monotonic: () => clock.monotonic() });
    await cluster.start(changes.raise, stop.signal);
    const parts = {
      installation: testInstallation,
      cluster,
      repositorySnapshots: { view: () => ({ ledger: known.ledger }) as RepositorySnapshot },
      control: { requests: () => known.requests },
      troubles,
      clock,
      log: createLogger("test", [], "error", () => undefined),
      waitForChange: async (longestMs: number, signal: AbortSignal) => changes.wait(longestMs, signal),
    };
    void reconcileRecordedStops(parts, stop.signal, random);
    await clock.advance(100);
  };
  const say = async (change: Partial<typeof known>, ms = 900) => {
    Object.assign(known, change);
    changes.raise();
    await clock.advance(ms);
  };
  const entries = () => {
    const answer = model.api.handle({
      method: "GET",
      path: `/api/v1/namespaces/${map[0]}/configmaps/${map[1]}`,
      query: new URLSearchParams(),
      contentType: undefined,
      body: undefined,
      user: "test",
    });
    return answer === "lost" ? {} : ((answer.body as { readonly data?: Readonly<Record<string, string>> }).data ?? {});
  };
  return { clock, model, troubles, start, say, entries };
}

const stopped = (...ids: readonly string[]) =>
  makeLedger({ stops: Object.fromEntries(ids.map((id) => [id, makeStop({ id, scope: "all" })])) });

test("7.3 a verb is recorded in the cluster within a second, even without the map", async () => {
  const { start, say, entries } = makeBench();
  await start();
  await say({ requests: [makeRequest("ask-1")] });
  expect(Object.keys(entries())).toEqual(["ask-1"]);
  expect(readRecordedStop(entries()["ask-1"] ?? "")?.stop).toMatchObject({ id: "ask-1", scope: "all", who: "ana" });
});

test("7.3 nothing is recorded in a cluster that another installation serves", async () => {
  const { model, start, say, entries } = makeBench();
  model.setConfigMap(map[0], "meshroll-installation", { id: "another1mesh" });
  await start();
  await say({ requests: [makeRequest("ask-1")] });
  expect(entries()).toEqual({});
});

test("7.3 an entry is removed only when the ledger shows the resume", async () => {
  const { start, say, entries } = makeBench();
  await start();
  await say({ requests: [makeRequest("ask-1"), makeRequest("ask-2")] });
  await say({ requests: [], ledger: undefined }, 60_000);
  const silent = Object.keys(entries());
  await say({ ledger: makeLedger() }, 60_000);
  const wiped = Object.keys(entries());
  const resume = { at, who: "ana", why: "fixed" };
  await say({ ledger: makeLedger({ stops: { "ask-1": makeStop({ id: "ask-1", scope: "all", resume }) } }) });
  expect([silent, wiped, Object.keys(entries())]).toEqual([["ask-1", "ask-2"], ["ask-1", "ask-2"], ["ask-2"]]);
});

test("7.3 entries of others stay as they are", async () => {
  const { model, start, say, entries } = makeBench();
  model.setConfigMap(...map, { "cli-1": "by hand" });
  await start();
  await say({ requests: [makeRequest("ask-1")] });
  expect(entries()["cli-1"]).toBe("by hand");
  expect(Object.keys(entries()).toSorted()).toEqual(["ask-1", "cli-1"]);
});

test("7.3 a restarted executor and a second one next to it repeat no write", async () => {
  const { model, start, say } = makeBench();
  await start();
  await say({ requests: [makeRequest("ask-1")], ledger: stopped("s-1", "s-2") });
  const once = model.writes.length;
  await start();
  await start();
  await say({}, 60_000);
  expect(model.writes).toHaveLength(once);
});

test("7.3 a late watch causes no second write", async () => {
  const { model, start, say } = makeBench({ lagMs: 5000 });
  model.setConfigMap(...map, {});
  await start();
  await say({ requests: [makeRequest("ask-1")] }, 20_000);
  expect(model.writes).toHaveLength(1);
});

test("7.3 an entry that is deleted while its stop is in force is written again", async () => {
  const { clock, model, start, say, entries } = makeBench();
  await start();
  await say({ ledger: stopped("s-1") });
  model.setConfigMap(...map, {});
  await clock.advance(31_000);
  expect(Object.keys(entries())).toEqual(["s-1"]);
  model.deleteConfigMap(...map);
  await clock.advance(31_000);
  expect(Object.keys(entries())).toEqual(["s-1"]);
});

test("7.3 two executors, one of which has not read the resume, do not undo each other's writes for ever", async () => {
  const { clock, model, start, say } = makeBench();
  model.setConfigMap(...map, {});
  await start();
  await say({ ledger: stopped("s-1") });
  // The other one, with the newer ledger.
  const unsubscribe = model.onEvent(({ object }) => {
    const isOurs = object.resource === "configmaps" && Object.keys(object.data).length > 0;
    if (isOurs) clock.schedule(10, () => model.setConfigMap(...map, {}));
  });
  model.setConfigMap(...map, {});
  const before = model.writes.length;
  await clock.advance(120_000);
  unsubscribe();
  expect(model.writes.length - before).toBeLessThanOrEqual(4);
});

test("7.3 an executor without the right reports it, tries again with pauses, and records once it may", async () => {
  const { clock, model, troubles, start, say, entries } = makeBench();
  model.setConfigMap(...map, {});
  await start();
  const allow = model.faults.forbid("configmaps");
  await say({ requests: [makeRequest("ask-1")] }, 60_000);
  const tries = model.writes.length;
  const named = troubles.list();
  allow();
  await clock.advance(11_000);

  expect(tries).toBe(0);
  expect(named).toEqual([
    expect.stringMatching(
      /^stops cannot be recorded in one \(.*forbidden.*\).*; check with kubectl -n meshroll-system auth can-i patch configmaps$/,
    ),
  ]);
  expect([Object.keys(entries()), troubles.list()]).toEqual([["ask-1"], []]);
});

test("7.3 an API server that is away gets the stop when it is back", async () => {
  const { clock, model, troubles, start, say, entries } = makeBench();
  await start();
  model.faults.unavailableFor(30_000);
  await say({ requests: [makeRequest("ask-1")] }, 20_000);
  const named = troubles.list().length;
  await clock.advance(12_000);
  expect([named, Object.keys(entries()), troubles.list()]).toEqual([1, ["ask-1"], []]);
});

test("7.3 a stop that no ConfigMap can hold is reported, and the others are recorded", async () => {
  const { troubles, start, say, entries } = makeBench();
  await start();
  await say({ requests: [makeRequest("ask-1"), makeRequest("no/key")] });
  expect(Object.keys(entries())).toEqual(["ask-1"]);
  expect(troubles.list().join()).toContain('the stop "no/key" of ana on all cannot be recorded');
  await say({ requests: [] });
  expect(troubles.list()).toEqual([]);
});

test("nothing is written to another cluster than the one in which an open run was begun", async () => {
  const { model, start, say } = makeBench();
  const opened = { openedAt: at, uid: "another-kube-system", unhealthyBefore: [] };
  const run = makeRun(sha("head"), sha("base"), { clusters: { one: opened } });
  await start();
  await say({ requests: [makeRequest("ask-1")], ledger: makeLedger({ runs: { [runId]: run } }) }, 30_000);
  expect(model.writes).toEqual([]);
});
