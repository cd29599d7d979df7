import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { Prometheus } from "./port.ts";

/** The answer to a query. A stand-in compares the query's text; a real server evaluates the query over the series. */
export interface Planting {
  readonly query: string;
  readonly metric: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** One value for each series of the metric. */
  readonly series: readonly number[];
  /** Time at which the query is evaluated, epoch ms. */
  readonly at: number;
  /** Time from which on the series exist, epoch ms; absent: at all times that are queried. */
  readonly from?: number;
}

/** A Prometheus whose answers the suite chooses. */
export interface PrometheusState {
  readonly prometheus: Prometheus;
  plant(planting: Planting): void;
  /** Makes a stand-in answer that the query does not parse; a real server finds that out itself. */
  refuse(query: string): void;
  setUnavailable(down: boolean): void;
  close(): Promise<void>;
}

const noon = 1_795_088_580_000;
const metric = "error_ratio";
const labels = { ns: "shop-a" };
const ratio = 'error_ratio{ns=~"shop-a|shop-b"}';

/** What every `Prometheus` must do; run against the fake and against the HTTP API. */
export function describePrometheus(name: string, make: () => Promise<PrometheusState>): void {
  describe(`${name}`, () => {
    let environment: PrometheusState;
    beforeEach(async () => {
      environment = await make();
    });
    afterEach(async () => environment.close());
    const plant = (series: readonly number[], from?: number): void =>
      environment.plant({ query: ratio, metric, labels, series, at: noon, ...(from === undefined ? {} : { from }) });
    const ask = async (query: string, at = noon) => environment.prometheus.query(query, at);

    it.each([0, 1, -3.5, 0.000_000_12, 1e21, 0.1 + 0.2])("answers %f as it was measured", async (value) => {
      plant([value]);
      expect(await ask(ratio)).toEqual({ kind: "value", value });
    });

    it("answers as of the moment that is asked for", async () => {
      plant([1]);
      plant([2], noon);
      expect(await ask(ratio, noon - 1)).toEqual({ kind: "value", value: 1 });
      expect(await ask(ratio, noon)).toEqual({ kind: "value", value: 2 });
    });

    it("has no data where nothing was measured", async () => {
      expect(await ask(ratio)).toMatchObject({ kind: "noData", why: "the query answered no series" });
    });

    it.each([Number.NaN, Infinity, -Infinity])("has no data where the number is %f", async (value) => {
      plant([value]);
      expect(await ask(ratio)).toMatchObject({ kind: "noData" });
    });

    it("refuses several series: only the author knows what they add up to", async () => {
      plant([1, 2, 3]);
      expect(await ask(ratio)).toMatchObject({ kind: "refused", why: expect.stringContaining("3 series") });
    });

    it("refuses a query that does not parse, and answers the next one", async () => {
      environment.refuse("sum(");
      plant([1]);
      expect(await ask("sum(")).toMatchObject({ kind: "refused" });
      expect(await ask(ratio)).toEqual({ kind: "value", value: 1 });
    });

    it("is unavailable while it is down, and answers again after", async () => {
      plant([1]);
      environment.setUnavailable(true);
      expect(await ask(ratio)).toMatchObject({ kind: "unavailable" });
      environment.setUnavailable(false);
      expect(await ask(ratio)).toEqual({ kind: "value", value: 1 });
    });

    it("asks for thousands of namespaces at once", async () => {
      const names = Array.from({ length: 5000 }, (_, index) => `namespace-of-a-team-${index}`).join("|");
      const query = `sum(up{namespace=~"${names}"})`;
      const one = { metric: "up", labels: { namespace: "namespace-of-a-team-4999" } };
      environment.plant({ query, ...one, series: [7], at: noon });
      expect(await ask(query)).toEqual({ kind: "value", value: 7 });
    });
  });
}
