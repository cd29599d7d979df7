import type { Prometheus } from "#libs/prometheus";
import { describe, expect, it } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, listWaits, makeShop } from "../shop.ts";

const query = 'sum(errors{ns=~"${namespaces}"})';

/** `meshroll.yml` with one gate that queries Prometheus, and a short bake. */
function gateFile(gate: string, bake = "10m"): string {
  const body = `name: errors, ${gate}`;
  const probe = `prometheus: { query: '${query}', max: 0.02, interval: 1m, failureLimit: 2 }`;
  const batch = "batch: { batchSize: 2, delayBetweenBatches: 3m }";
  return `defaults:\n  ${batch}\n  bake: ${bake}\n  gates:\n    - { ${body}, ${probe} }\n`;
}

/** Answers every query with `answer`; a text is the reason why there is no data. */
function createPrometheus(): Prometheus & { answer: number | string; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    answer: 0,
    asked,
    async query(promql) {
      asked.push(promql);
      return typeof this.answer === "number"
        ? { kind: "value", value: this.answer }
        : { kind: "unavailable", why: this.answer };
    },
  };
}

async function openGated(settings: string, prometheus: Prometheus | undefined): Promise<FleetFlow> {
  const flow = await makeShop({ settings });
  flow.prometheus = prometheus;
  await flow.startExecutor().startPlanner().pass(30_000);
  flow.whenMerged(file(100));
  return flow;
}

/** Number of transitions in the ledger. */
const countRecords = async (flow: FleetFlow): Promise<number> => (await flow.ledger())?.sequence ?? 0;

describe("gates that query Prometheus", () => {
  it("a run with good measurements ends with value, limit and query in its record, and without a commit for each reconcile", async () => {
    const prometheus = createPrometheus();
    const flow = await openGated(gateFile("when: during, onFail: pause", "15m"), prometheus);
    const before = await countRecords(flow);
    const [run] = await flow.untilRunsEnd(1);
    expect(run?.gates?.["errors"]).toMatchObject({ verdict: "pass", value: 0, limit: 0.02 });
    expect(run?.gates?.["revision-match"]).toMatchObject({ verdict: "pass", value: 1, limit: 1 });
    expect(prometheus.asked.length).toBeGreaterThan(12);
    expect(prometheus.asked.at(-1)).toBe('sum(errors{ns=~"shop-a|shop-b|shop-c|shop-d|shop-e|shop-f"})');
    // At most 21: the run's start, the bake's start, the shorter intervals after a planner's start, one per minute, the end.
    expect((await countRecords(flow)) - before).toBeLessThanOrEqual(21);
    await flow.end();
  });

  it("a run with bad measurements is stopped midway and nothing else moves; resume measures again", async () => {
    const prometheus = createPrometheus();
    const flow = await openGated(gateFile("when: during, onFail: pause"), prometheus);
    await flow.until("the first batch arrived", () => countOn(flow, "new") === 2);
    prometheus.answer = 0.5;
    await flow.until("the gate stopped the run", async () => (await listWaits(flow)).includes("GateFailed"));
    const moved = countOn(flow, "new");
    expect(moved).toBeLessThan(6);
    await flow.pass(600_000);
    expect(countOn(flow, "new")).toBe(moved);
    const [run] = await flow.runs();
    expect(run?.gates?.["errors"]).toMatchObject({ verdict: "fail", value: 0.5, limit: 0.02 });
    prometheus.answer = 0.01;
    await flow.whenAsked({ verb: "resume", scope: `run/${run?.id}` });
    const [ended] = await flow.untilRunsEnd(1);
    expect(ended?.gates?.["errors"]).toMatchObject({ verdict: "pass", value: 0.01 });
    expect(countOn(flow, "new")).toBe(6);
    await flow.end();
  });

  it("onNoData hold: while Prometheus is down the run waits, with a named cause, until it answers", async () => {
    const prometheus = createPrometheus();
    prometheus.answer = "it answers 503";
    const flow = await openGated(gateFile("when: during, onNoData: hold"), prometheus);
    await flow.until("it waits for data", async () => (await listWaits(flow)).includes("GateNoData"));
    const moved = countOn(flow, "new");
    await flow.pass(1_200_000);
    expect(countOn(flow, "new")).toBe(moved);
    const wait = (await flow.status())?.waiting.find(({ code }) => code === "GateNoData");
    expect(wait).toMatchObject({ owner: "the operator of Prometheus", message: expect.stringContaining("503") });
    prometheus.answer = 0;
    await flow.untilRunsEnd(1);
    expect(countOn(flow, "new")).toBe(6);
    await flow.end();
  });

  it("after the bake: one bad measurement is queried again, two stop the run before its end", async () => {
    const prometheus = createPrometheus();
    const flow = await openGated(gateFile("when: after, onFail: pause"), prometheus);
    await flow.until("it bakes", async () => (await listWaits(flow)).includes("Baking"));
    expect(prometheus.asked).toEqual([]);
    prometheus.answer = 0.3;
    await flow.until("the gate stopped the run", async () => (await listWaits(flow)).includes("GateFailed"));
    expect(prometheus.asked).toHaveLength(2);
    const [run] = await flow.runs();
    expect(run).toMatchObject({ state: "open", gates: { errors: { verdict: "fail", value: 0.3 } } });
    // A person accepts the measurement: the run ends, and its record says who accepted what.
    await flow.whenAsked({ verb: "resume", scope: `run/${run?.id}`, why: "a dashboard lied" });
    const [ended] = await flow.untilRunsEnd(1);
    expect(ended?.gates?.["errors"]).toMatchObject({ verdict: "pass", value: 0.3 });
    expect(ended?.gates?.["errors"]?.why).toContain("accepted by ana: a dashboard lied");
    await flow.end();
  });
});
