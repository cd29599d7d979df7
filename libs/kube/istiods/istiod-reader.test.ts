import { describe, expect, it } from "vitest";

import type { IstiodReport } from "../objects/mesh/istiod-report.ts";
import type { ProxyStatus } from "../objects/mesh/proxy-status.ts";
import type { IstiodAnswer } from "./ask-istiod.ts";
import { createIstiodReader } from "./istiod-reader.ts";

const envoy = "type.googleapis.com/envoy.config.";

function makeProxies(connected: number, synced: number): readonly ProxyStatus[] {
  return Array.from({ length: connected }, (_, index) => ({
    proxy: `p${index}.shop`,
    resources: [
      { type: `${envoy}cluster.v3.Cluster`, state: "synced" },
      { type: `${envoy}listener.v3.Listener`, state: index < synced ? "synced" : "stale" },
    ],
  }));
}

/** One istiod whose answers, and whose clock, the test sets. */
function openBench() {
  let answer: () => IstiodAnswer = () => ({ kind: "said", status: { version: "1.29.2", proxies: [] } });
  let reports: ReadonlyMap<string, IstiodReport> = new Map();
  let trust: { readonly serverName: string; readonly authority: undefined } | undefined = {
    serverName: "istiod-a.istio-system.svc",
    authority: undefined,
  };
  let now = 0;
  let told = 0;
  const reader = createIstiodReader({
    ask: async () => answer(),
    store: {
      facts: () => ({
        count: 0,
        uid: "",
        tags: {},
        stops: { kubectl: false, recorded: {} },
        revisions: [{ name: "a", webhook: true, istiod: "ready" }],
      }),
      listIstiodPods: () => [
        { name: "istiod-a-1", namespace: "istio-system", labels: {}, uid: "u1", revision: "a", ready: true },
      ],
      findTrust: () => trust,
      noteIstiods: (next) => void (reports = next),
    },
    changed: () => void (told += 1),
    monotonic: () => now,
  });
  return {
    reader,
    proxies: (connected: number, synced: number) => {
      const status = { version: "1.29.2", proxies: makeProxies(connected, synced) };
      answer = () => ({ kind: "said", status });
    },
    answer: (next: () => IstiodAnswer) => void (answer = next),
    distrust: () => void (trust = undefined),
    look: async (at: number) => {
      now = at;
      const before = told;
      await reader.read();
      return told - before;
    },
    report: () => reports.get("a"),
  };
}

describe("reports of figures that change all the time", () => {
  it("9.1 changed figures are reported every five seconds; the view has them at once", async () => {
    const bench = openBench();
    bench.proxies(10, 9);
    expect(await bench.look(0)).toBe(1);
    bench.proxies(11, 9);
    expect(await bench.look(1_000)).toBe(0);
    expect(bench.report()?.proxies).toMatchObject({ connected: 11, synced: 9 });
    bench.proxies(10, 8);
    expect(await bench.look(4_999)).toBe(0);
    expect(await bench.look(5_000)).toBe(1);
    expect(await bench.look(20_000)).toBe(0);
  });

  it("that all are in sync, or not any more, or not known any more, is reported at once", async () => {
    const bench = openBench();
    bench.proxies(10, 9);
    await bench.look(0);
    bench.proxies(10, 10);
    expect(await bench.look(100)).toBe(1);
    bench.proxies(10, 9);
    expect(await bench.look(200)).toBe(1);
    bench.answer(() => ({ kind: "silent", why: "no endpoints" }));
    expect(await bench.look(300)).toBe(1);
    expect(bench.report()).toEqual({ version: "1.29.2" });
  });
});

describe("problems of an istiod that does not answer", () => {
  it("none before the third read, then its name and the reason, and none once it answers", async () => {
    const bench = openBench();
    bench.answer(() => ({ kind: "silent", why: "given up: no answer in time" }));
    const seen: (readonly string[])[] = [];
    for (const at of [0, 1, 2, 3]) {
      await bench.look(at);
      seen.push(bench.reader.problems());
    }
    const text = "istiod of a does not answer on port 15012: given up: no answer in time";
    expect(seen).toEqual([[], [], [text], [text]]);
    bench.proxies(1, 1);
    expect(await bench.look(4)).toBe(1);
    expect(bench.reader.problems()).toEqual([]);
  });

  it("without a webhook it is not known whose certificate it is: it is not asked", async () => {
    const bench = openBench();
    bench.distrust();
    for (const at of [0, 1, 2]) await bench.look(at);
    const text = "istiod of a does not answer on port 15012: no webhook says which certificate it has";
    expect(bench.reader.problems()).toEqual([text]);
  });

  it("a fault of our own is not hidden", async () => {
    const bench = openBench();
    bench.answer(() => {
      throw new TypeError("a bug");
    });
    await expect(bench.reader.read()).rejects.toThrow("a bug");
  });
});
