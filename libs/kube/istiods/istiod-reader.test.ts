import { describe, expect, it } from "vitest";

import { type ApiAnswer, ServerUnreachable } from "../requests/api-call.ts";
import { createIstiodReader } from "./istiod-reader.ts";
import type { IstiodReport } from "../objects/istiod-report.ts";

/** One istiod whose answers, and whose clock, the test sets. */
function openBench() {
  const asked: string[] = [];
  let syncz: () => ApiAnswer = () => ({ status: 200, body: [] });
  let reports: ReadonlyMap<string, IstiodReport> = new Map();
  let now = 0;
  let told = 0;
  const reader = createIstiodReader({
    send: async ({ path }) => {
      asked.push(path);
      return path.endsWith("/version") ? { status: 200, body: "1.29.2-0c5f1d2e-Clean" } : syncz();
    },
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
      noteIstiods: (next) => void (reports = next),
    },
    changed: () => void (told += 1),
    monotonic: () => now,
  });
  const proxies = (connected: number, synced: number) => {
    const list = Array.from({ length: connected }, (_, index) => ({
      proxy: `p${index}.shop`,
      cluster_sent: "c",
      cluster_acked: "c",
      listener_sent: "l",
      ...(index < synced ? { listener_acked: "l" } : {}),
    }));
    syncz = () => ({ status: 200, body: list });
  };
  return {
    reader,
    asked,
    proxies,
    answer: (next: () => ApiAnswer) => void (syncz = next),
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
    bench.answer(() => ({ status: 503, body: "no endpoints" }));
    expect(await bench.look(300)).toBe(1);
    expect(bench.report()).toEqual({ version: "1.29.2" });
  });

  it("a pod is asked for its version once", async () => {
    const bench = openBench();
    for (const at of [0, 1, 2]) await bench.look(at);
    expect(bench.asked.filter((path) => path.endsWith("/version"))).toHaveLength(1);
  });
});

describe("problems of an istiod that does not answer", () => {
  it("none before the third read, then its name and the reason, and none once it answers", async () => {
    const bench = openBench();
    bench.answer(() => {
      throw new ServerUnreachable("no byte for 15000 ms");
    });
    const seen: (readonly string[])[] = [];
    for (const at of [0, 1, 2, 3]) {
      await bench.look(at);
      seen.push(bench.reader.problems());
    }
    const text = "istiod of a does not answer on port 15014: no byte for 15000 ms";
    expect(seen).toEqual([[], [], [text], [text]]);
    bench.proxies(1, 1);
    expect(await bench.look(4)).toBe(1);
    expect(bench.reader.problems()).toEqual([]);
  });

  it("a login that the API server refuses is reported by the watches", async () => {
    const bench = openBench();
    bench.answer(() => ({ status: 401, body: { kind: "Status", message: "Unauthorized" } }));
    await bench.look(0);
    expect(bench.reader.problems()).toEqual([]);
    bench.answer(() => ({ status: 401, body: "" }));
    await bench.look(1);
    expect(bench.reader.problems()).toEqual([expect.stringMatching(/^istiod of a wants a login/)]);
  });

  it("a fault of our own is not hidden", async () => {
    const bench = openBench();
    bench.answer(() => {
      throw new TypeError("a bug");
    });
    await expect(bench.reader.read()).rejects.toThrow("a bug");
  });
});
