import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { Prometheus } from "./port.ts";

/** A Prometheus whose answers the suite chooses. */
export interface PrometheusState {
  readonly prometheus: Prometheus;
  /** From an epoch ms on (default: always) the query answers these series. */
  plant(query: string, series: readonly number[], from?: number): void;
  /** The query does not parse. */
  refuse(query: string): void;
  setUnavailable(down: boolean): void;
  close(): Promise<void>;
}

const noon = 1_795_088_580_000;
const ratio = 'sum(rate(errors{ns=~"shop-a|shop-b"}[5m])) / sum(rate(requests{ns=~"shop-a|shop-b"}[5m]))';

/** What every `Prometheus` must do; run against the fake and against the HTTP API. */
export function describePrometheus(name: string, make: () => Promise<PrometheusState>): void {
  describe(`${name}`, () => {
    let environment: PrometheusState;
    beforeEach(async () => {
      environment = await make();
    });
    afterEach(async () => environment.close());
    const ask = async (query: string, at = noon) => environment.prometheus.query(query, at);

    it.each([0, 1, -3.5, 0.000_000_12, 1e21, 0.1 + 0.2])("answers %f as it was measured", async (value) => {
      environment.plant(ratio, [value]);
      expect(await ask(ratio)).toEqual({ kind: "value", value });
    });

    it("answers as of the moment that is asked for", async () => {
      environment.plant(ratio, [1]);
      environment.plant(ratio, [2], noon);
      expect(await ask(ratio, noon - 1)).toEqual({ kind: "value", value: 1 });
      expect(await ask(ratio, noon)).toEqual({ kind: "value", value: 2 });
    });

    it("has no data where nothing was measured", async () => {
      expect(await ask(ratio)).toMatchObject({ kind: "noData", why: "the query answered no series" });
    });

    it.each([Number.NaN, Infinity, -Infinity])("has no data where the number is %f", async (value) => {
      environment.plant(ratio, [value]);
      expect(await ask(ratio)).toMatchObject({ kind: "noData" });
    });

    it("refuses several series: only the author knows what they add up to", async () => {
      environment.plant(ratio, [1, 2, 3]);
      expect(await ask(ratio)).toMatchObject({ kind: "refused", why: expect.stringContaining("3 series") });
    });

    it("refuses a query that does not parse, and goes on", async () => {
      environment.refuse("sum(");
      environment.plant(ratio, [1]);
      expect(await ask("sum(")).toMatchObject({ kind: "refused" });
      expect(await ask(ratio)).toEqual({ kind: "value", value: 1 });
    });

    it("is unavailable while it is down, and answers again after", async () => {
      environment.plant(ratio, [1]);
      environment.setUnavailable(true);
      expect(await ask(ratio)).toMatchObject({ kind: "unavailable" });
      environment.setUnavailable(false);
      expect(await ask(ratio)).toEqual({ kind: "value", value: 1 });
    });

    it("asks for thousands of namespaces at once", async () => {
      const names = Array.from({ length: 5000 }, (_, index) => `namespace-of-a-team-${index}`).join("|");
      const query = `sum(up{namespace=~"${names}"})`;
      environment.plant(query, [7]);
      expect(await ask(query)).toEqual({ kind: "value", value: 7 });
    });
  });
}
