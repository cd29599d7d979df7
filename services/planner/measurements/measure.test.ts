import { createFakePrometheus } from "#fakes/prometheus";
import { createVirtualClock } from "#fakes/runtime";
import type { Snapshot } from "#libs/plan";
import type { Prometheus } from "#libs/prometheus";
import { createSilentLogger } from "#test/flow/parts/silent-logger";
import { makeMigrated, makeCluster, makeWorkload, runId } from "#test/world/build";
import { gates, makeGateSnapshot, makeSyncedCluster } from "#test/world/campaigns/gates";
import { describe, expect, it } from "vitest";

import { createMeasurer, type MeasurerParts } from "./measure.ts";

const migrated = makeMigrated(makeWorkload("shop/a"), "new", runId);
const clusters = [makeCluster("one", [migrated, makeWorkload("other/b")])];
const gate = gates.prometheus({ query: 'e{ns=~"${namespaces}"}', maxRatioToBaseline: 2 });
const snapshot = makeGateSnapshot({ gate, clusters });
const [asked, compared] = ['e{ns=~"shop"}', 'e{ns=~"other"}'];

function start(parts: Partial<MeasurerParts> = {}) {
  const clock = createVirtualClock();
  const errors: string[] = [];
  const measurer = createMeasurer({ clock, log: createSilentLogger(errors), ...parts });
  /** One reconcile, `ms` later, and then the answers arrive. */
  async function reconcile(seen: Snapshot = snapshot, ms = 0): Promise<void> {
    await clock.advance(ms);
    measurer.notice(seen);
    await clock.advance(0);
  }
  return { clock, errors, reconcile, samples: () => measurer.samples().get(`${runId}/g`) };
}

describe("the planner's measurements", () => {
  it("value and baseline are queried for the same moment, each interval", async () => {
    const prometheus = createFakePrometheus();
    prometheus.plant(asked, [0.5]);
    prometheus.plant(compared, [0.4]);
    const { clock, reconcile, samples } = start({ prometheus });
    const began = clock.now();
    await reconcile();
    const madeAt = new Date(began).toISOString();
    expect(samples()).toEqual([{ at: began, madeAt, query: asked, value: 0.5, baseline: 0.4 }]);
    await reconcile(snapshot, 59_999);
    expect(prometheus.asked).toHaveLength(2);
    await reconcile(snapshot, 1);
    expect(prometheus.asked.slice(2)).toEqual([
      { query: asked, at: began + 60_000 },
      { query: compared, at: began + 60_000 },
    ]);
    expect(samples()).toHaveLength(2);
  });

  it("missed moments are queried one after the other, and dropped once there is no answer", async () => {
    const prometheus = createFakePrometheus();
    prometheus.plant(asked, [0.5]);
    prometheus.plant(compared, [0.4]);
    const { clock, reconcile } = start({ prometheus });
    const savedAt = new Date(clock.now() - 300_000).toISOString();
    const bake = { beganAt: savedAt, neededMs: 3_600_000, healthyMs: 0, savedAt };
    const baking = makeGateSnapshot({ gate, clusters, bake: 3_600_000, run: { bake } });
    await reconcile(baking);
    expect(prometheus.asked.filter(({ query }) => query === asked).map(({ at }) => at - clock.now())).toEqual([
      -240_000, -180_000, -120_000, -60_000, 0,
    ]);
    const down = createFakePrometheus();
    down.setUnavailable(true);
    const other = start({ prometheus: down });
    await other.reconcile(baking);
    expect(down.asked.filter(({ query }) => query === asked)).toHaveLength(2);
  });

  it.each([3_600_000, -3_600_000])(
    "a machine's clock that is set by %i ms makes no sample older or newer",
    async (step) => {
      const clock = createVirtualClock();
      let wrong = 0;
      const set = { ...clock, now: () => clock.now() + wrong };
      const prometheus = createFakePrometheus();
      prometheus.plant(asked, [0.5]);
      prometheus.plant(compared, [0.4]);
      const measurer = createMeasurer({ clock: set, log: createSilentLogger([]), prometheus });
      measurer.notice(snapshot);
      await clock.advance(10_000);
      wrong = step;
      const [sample] = measurer.samples().get(`${runId}/g`) ?? [];
      expect(set.now() - (sample?.at ?? 0)).toBe(10_000);
      measurer.notice(snapshot);
      await clock.advance(49_999);
      measurer.notice(snapshot);
      expect(prometheus.asked).toHaveLength(2);
      await clock.advance(1);
      measurer.notice(snapshot);
      expect(prometheus.asked).toHaveLength(4);
    },
  );

  it("a Prometheus that hangs delays no reconcile, and is queried once at a time", async () => {
    let calls = 0;
    const prometheus: Prometheus = {
      query: async () => {
        calls += 1;
        return new Promise(() => undefined);
      },
    };
    const { reconcile, samples } = start({ prometheus });
    for (let round = 0; round < 5; round += 1) await reconcile(snapshot, 120_000);
    expect(calls).toBe(2);
    expect(samples()).toEqual([]);
  });

  it("an outage is no data with a reason, and ends by itself", async () => {
    const prometheus = createFakePrometheus();
    prometheus.plant(asked, [0.5]);
    prometheus.setUnavailable(true);
    const { reconcile, samples } = start({ prometheus });
    await reconcile();
    expect(samples()).toMatchObject([{ fault: "it is down", baselineFault: "it is down" }]);
    prometheus.setUnavailable(false);
    await reconcile(snapshot, 60_000);
    expect(samples()?.[1]).toMatchObject({ value: 0.5, baselineFault: "the query answered no series" });
  });

  it("without a configured Prometheus the reason names the missing variable", async () => {
    const { reconcile, samples } = start();
    await reconcile();
    expect(samples()).toMatchObject([{ fault: "MESHROLL_PROMETHEUS_URL of the planner is not set" }]);
  });

  it("a bug counts as no data, and is logged", async () => {
    const broken: Prometheus = {
      query: async () => {
        throw new Error("bug");
      },
    };
    const { errors, reconcile, samples } = start({ prometheus: broken });
    await reconcile();
    expect(samples()).toMatchObject([{ fault: "the planner could not ask; its log says why" }]);
    expect(errors).toHaveLength(1);
  });

  it("a query of thousands of namespaces is sent whole and recorded short", async () => {
    const many = Array.from({ length: 3000 }, (_, index) =>
      makeMigrated(makeWorkload(`team-${index}/a`), "new", runId),
    );
    const prometheus = createFakePrometheus();
    const { reconcile, samples } = start({ prometheus });
    await reconcile(
      makeGateSnapshot({
        gate: gates.prometheus({ query: gate.kind === "prometheus" ? gate.query : "" }),
        clusters: [makeCluster("one", many)],
      }),
    );
    expect(prometheus.asked[0]?.query.length).toBeGreaterThan(25_000);
    expect(samples()?.[0]?.query.length).toBeLessThan(1100);
  });

  it("remembers since when too few proxies are synced", async () => {
    const low = makeSyncedCluster("one", [migrated], { connected: 10, synced: 5 });
    const sync = makeGateSnapshot({ gate: gates.proxySync(), clusters: [low] });
    const { clock, reconcile, samples } = start();
    const began = clock.now();
    for (let round = 0; round < 4; round += 1) await reconcile(sync, round === 0 ? 0 : 20_000);
    expect(samples()?.map(({ at, value }) => [at - began, value])).toEqual([
      [0, 0.5],
      [60_000, 0.5],
    ]);
  });

  it("while main does not parse nothing is measured, and nothing is forgotten", async () => {
    const prometheus = createFakePrometheus();
    const { reconcile, samples } = start({ prometheus });
    await reconcile();
    await reconcile({ ...snapshot, main: { ...snapshot.main, head: "f".repeat(40) } }, 600_000);
    expect(prometheus.asked).toHaveLength(2);
    expect(samples()).toHaveLength(1);
  });
});
