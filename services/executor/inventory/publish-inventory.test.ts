import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createModel, fakeCluster } from "#fakes/kube";
import { createVirtualClock } from "#fakes/runtime";
import { BusRefused, type KeyValue } from "#libs/bus";
import { type FoldedCluster, createInventoryFold } from "#libs/events";
import type { Cluster } from "#libs/kube";
import { NamespaceTree } from "#libs/plan";
import { createLogger } from "#libs/runtime";
import { describe, expect, it, test } from "vitest";

import { createPublisher } from "./publish-inventory.ts";
import { createTroubles } from "../messages/troubles.ts";

/** A cluster with some namespaces, published into a bucket on a virtual clock. */
async function makeBench(namespaces: readonly string[] = ["a", "b"], lines: string[] = []) {
  const clock = createVirtualClock();
  const server = createFakeBusServer();
  const model = createModel({ clock });
  for (const ns of namespaces) model.addDeployment({ ns, name: "web" });
  const real = openFakeBus(server).bucket("inventory");
  const refused = new Set<string>();
  const bucket: KeyValue = {
    ...real,
    async put(key, ...more) {
      if (refused.has(key)) throw new BusRefused(`no ${key}`);
      return real.put(key, ...more);
    },
  };
  const troubles = createTroubles(() => undefined);
  const log = createLogger("test", [], "warn", (line) => lines.push(line));
  const start = async (stop: AbortController, change: (cluster: Cluster) => Cluster = (cluster) => cluster) => {
    const cluster = change(fakeCluster(model, "one", { monotonic: () => clock.monotonic() }));
    const publisher = createPublisher({
      cluster,
      mode: "act",
      inventory: bucket,
      troubles,
      clock,
      log,
    });
    await cluster.start((name) => publisher.note(name), stop.signal);
    void publisher.run(stop.signal);
    await clock.advance(1000);
  };
  /** What a planner that starts now would read. */
  const read = async (): Promise<FoldedCluster | undefined> => {
    const fold = createInventoryFold(NamespaceTree.empty);
    const stop = new AbortController();
    const onEntry = (entry: { readonly key: string; readonly value?: string }) => {
      fold.apply(entry.key, entry.value, 0);
    };
    await bucket.watch(">", { onEntry, onReady: () => undefined, onReset: () => undefined }, stop.signal);
    await clock.settle();
    stop.abort();
    return fold.clusters()[0];
  };
  return { clock, server, model, bucket, troubles, refused, start, read };
}

const names = (seen: FoldedCluster | undefined) =>
  [...(seen?.namespaces.keys() ?? [])].filter((name) => /^[a-z]$|^big$/.test(name)).toSorted();

test("9.1 each namespace has its key, the cluster its own with their count, its UID and its mode", async () => {
  const { start, read } = await makeBench();
  await start(new AbortController());
  const seen = await read();
  expect([names(seen), seen?.complete, seen?.facts.count]).toEqual([["a", "b"], true, seen?.namespaces.size]);
  expect(seen?.facts).toMatchObject({ cluster: "one", mode: "act", problems: [] });
  expect(seen?.facts.uid).toBe(seen?.namespaces.get("kube-system")?.namespace.uid);
});

test("9.1 a quiet cluster gets a cheap request every 20 s and is published again", async () => {
  const { clock, bucket, start } = await makeBench();
  await start(new AbortController());
  const revisions: (number | undefined)[] = [];
  for (let round = 0; round < 3; round += 1) {
    revisions.push((await bucket.get("one._"))?.revision);
    await clock.advance(21_000);
  }
  expect(new Set(revisions).size).toBe(3);
});

test("9.1 a cluster whose API server does not answer is not published again: it grows old", async () => {
  const lines: string[] = [];
  const { clock, model, bucket, start } = await makeBench(["a"], lines);
  await start(new AbortController());
  const before = (await bucket.get("one._"))?.revision;
  model.faults.unavailableFor(90_000);
  await clock.advance(80_000);
  const during = (await bucket.get("one._"))?.revision;
  await clock.advance(40_000);
  expect([during, (await bucket.get("one._"))?.revision === before]).toEqual([before, false]);
  expect(lines.join()).toContain("the API server does not answer");
});

test("9.2 a namespace that exceeds 512 KiB is refused with a reason, and its cluster stays complete", async () => {
  const { clock, model, start, read } = await makeBench();
  const annotations = { "inject.istio.io/templates": "x".repeat(2000) };
  for (let index = 0; index < 300; index += 1) model.addDeployment({ ns: "big", name: `w${index}`, annotations });
  await start(new AbortController());
  const refused = await read();
  for (let index = 0; index < 300; index += 10) {
    for (let each = index; each < index + 10; each += 1)
      model.deleteWorkload({ namespace: "big", kind: "Deployment", name: `w${each}` });
  }
  await clock.advance(2000);
  const fixed = await read();
  expect([names(refused), refused?.complete]).toEqual([["a", "b"], true]);
  expect(refused?.facts.problems).toEqual(["namespace big has 300 workloads: too many to publish, it is not moved"]);
  expect([names(fixed), fixed?.complete, fixed?.facts.problems]).toEqual([["a", "b", "big"], true, []]);
});

test("9.1 a wiped bucket is filled again by itself", async () => {
  const { clock, server, start, read } = await makeBench();
  await start(new AbortController());
  server.wipe();
  await clock.advance(2000);
  const seen = await read();
  expect([names(seen), seen?.complete]).toEqual([["a", "b"], true]);
});

describe("9.1 what another login does to a key of a quiet cluster is corrected", () => {
  const others: readonly {
    readonly name: string;
    readonly spoil: (bucket: KeyValue) => Promise<unknown>;
    /** Ms until it is corrected. */
    readonly within: number;
  }[] = [
    { name: "a namespace's key is deleted", spoil: async (bucket) => bucket.delete("one.a"), within: 1000 },
    { name: "the cluster's own key is deleted", spoil: async (bucket) => bucket.delete("one._"), within: 1000 },
    {
      name: "a namespace's key is purged without a marker",
      spoil: async (bucket) => bucket.sweep("one.a", Number.MAX_SAFE_INTEGER),
      within: 60_000,
    },
    {
      name: "a namespace's key is invalid",
      spoil: async (bucket) => bucket.put("one.a", "{"),
      within: 21_000,
    },
    { name: "the cluster's own key is invalid", spoil: async (bucket) => bucket.put("one._", "{}"), within: 21_000 },
  ];

  it.each(others)("$name", async ({ spoil, within }) => {
    const { clock, bucket, start, read } = await makeBench();
    await start(new AbortController());
    await clock.advance(5000);
    await spoil(bucket);
    const spoiled = (await read())?.complete ?? false;
    await clock.advance(within);
    const seen = await read();
    expect([spoiled, names(seen), seen?.complete]).toEqual([false, ["a", "b"], true]);
  });

  it("keys of another cluster, and of deleted namespaces, are left alone", async () => {
    const { clock, bucket, model, start } = await makeBench(["a", "b"]);
    await start(new AbortController());
    await bucket.put("two.a", "{}");
    await bucket.delete("two.a");
    model.deleteNamespace("b");
    await clock.advance(1000);
    await bucket.delete("one.b");
    await clock.advance(30_000);
    expect([await bucket.get("two.a"), await bucket.get("one.b")]).toEqual([undefined, undefined]);
  });
});

test("9.1 a deleted namespace loses its key, even if the bus was away", async () => {
  const { clock, server, model, start, read } = await makeBench(["a", "b", "c"]);
  await start(new AbortController());
  model.deleteNamespace("a");
  await clock.advance(1000);
  const first = await read();
  server.disconnect();
  model.deleteNamespace("b");
  await clock.advance(5000);
  server.connect();
  await clock.advance(2000);
  const second = await read();
  expect([names(first), first?.complete]).toEqual([["b", "c"], true]);
  expect([names(second), second?.complete]).toEqual([["c"], true]);
});

test("9.1 a namespace that was deleted while no executor ran loses its key when one starts", async () => {
  const { clock, model, start, read } = await makeBench();
  const stop = new AbortController();
  await start(stop);
  stop.abort();
  await clock.advance(1000);
  model.deleteNamespace("a");
  await start(new AbortController());
  await clock.advance(2000);
  const seen = await read();
  expect([names(seen), seen?.complete]).toEqual([["b"], true]);
});

test("9.1 what the API server refused is among the cluster's problems", async () => {
  const { clock, troubles, start, read } = await makeBench();
  await start(new AbortController());
  troubles.put("a/Deployment/web", "a/Deployment/web cannot be put back: forbidden");
  await clock.advance(21_000);
  expect((await read())?.facts.problems).toEqual(["a/Deployment/web cannot be put back: forbidden"]);
});

test("7.3 a stop that is placed or removed in the cluster is published at once, before waiting namespaces", async () => {
  const { clock, bucket, model, start, read } = await makeBench();
  await start(new AbortController());
  const puts: string[] = [];
  const onEntry = ({ key }: { readonly key: string }) => void puts.push(key);
  await bucket.watch(
    "one.*",
    { onEntry, onReady: () => void puts.splice(0), onReset: () => undefined },
    new AbortController().signal,
  );
  await clock.settle();

  model.addDeployment({ ns: "c", name: "web" });
  model.setConfigMap("meshroll-system", "meshroll-recorded-stops", { "ask-1": "{}" });
  await clock.advance(10);
  const stops = (await read())?.facts.stops;
  const order = [...puts];
  model.deleteConfigMap("meshroll-system", "meshroll-recorded-stops");
  model.setConfigMap("meshroll-system", "meshroll-stop", {});
  await clock.advance(10);

  expect([stops, (await read())?.facts.stops]).toEqual([
    { kubectl: false, recorded: { "ask-1": "{}" } },
    { kubectl: true, recorded: {} },
  ]);
  expect([order[0], (await read())?.complete]).toEqual(["one._", true]);
});

test("9.1 a stop does not cause a cluster to be published before its namespaces", async () => {
  const { clock, server, bucket, model, start } = await makeBench();
  model.addNamespace("meshroll-system");
  await start(new AbortController());
  const counts: number[] = [];
  const onEntry = ({ value }: { readonly value?: string }) =>
    void counts.push((JSON.parse(value ?? "{}") as { readonly count: number }).count);
  await bucket.watch(
    "one._",
    { onEntry, onReady: () => undefined, onReset: () => undefined },
    new AbortController().signal,
  );
  server.wipe();
  model.setConfigMap("meshroll-system", "meshroll-stop", {});
  await clock.advance(2000);
  expect(new Set(counts).size).toBe(1);
  expect(counts[0]).toBeGreaterThan(2);
});

test("a namespace with a text that no planner reads is reported, and its cluster stays complete", async () => {
  const { start, read } = await makeBench();
  await start(new AbortController(), (cluster) => ({
    ...cluster,
    view: {
      ...cluster.view,
      get namespaces() {
        const b = cluster.view.namespaces.get("b");
        if (b === undefined) return cluster.view.namespaces;
        const workloads = b.workloads.map((each) => {
          return { ...each, pods: [{ revision: "x".repeat(300), count: 1, ready: 1 }] };
        });
        return new Map([...cluster.view.namespaces, ["b", { ...b, workloads }]]);
      },
    },
  }));
  const seen = await read();
  expect([names(seen), seen?.complete, seen?.facts.problems.length]).toEqual([["a"], true, 1]);
  expect(seen?.facts.problems[0]).toMatch(/^namespace b has a name or a text that no planner reads/);
});

test("a namespace that the bus does not accept is reported and tried again, and its cluster stays complete", async () => {
  const { clock, refused, start, read } = await makeBench();
  refused.add("one.a");
  await start(new AbortController());
  const seen = await read();
  expect([names(seen), seen?.complete, seen?.facts.unpublished]).toEqual([["b"], true, 1]);
  expect(seen?.facts.problems).toEqual(["namespace a cannot be published, it is not moved: BusRefused: no one.a"]);
  refused.clear();
  await clock.advance(25_000);
  const later = await read();
  expect([names(later), later?.complete, later?.facts.problems]).toEqual([["a", "b"], true, []]);
});

test("a refusal of any length, and a stop under any key of a ConfigMap, do not make a cluster unreadable", async () => {
  const { start, read, troubles } = await makeBench();
  troubles.put("a/Deployment/web", `refused: ${"x".repeat(1_000_000)}`);
  await start(new AbortController(), (cluster) => {
    const recorded = JSON.parse('{"__proto__":"{}","mine":"{}"}') as Readonly<Record<string, string>>;
    const facts = () => ({ ...cluster.view.facts(), stops: { kubectl: false, recorded } });
    const get = { get: () => cluster.view.namespaces };
    return { ...cluster, view: Object.defineProperty({ ...cluster.view, facts }, "namespaces", get) };
  });
  const seen = await read();
  expect(seen?.complete).toBe(true);
  expect(seen?.facts.stops.recorded).toEqual({ mine: "{}" });
  expect(seen?.facts.problems.map((text) => text.length)).toEqual([66, 1000]);
});
