import type { Prometheus, QueryAnswer } from "./port.ts";

/** The answer to a query: one number for each series from an epoch ms on, or that the query does not parse. */
interface Planted {
  readonly from: number;
  readonly series: readonly number[] | "refused";
}

/** A Prometheus in memory. Queries are compared as text; an unknown query answers no series. */
export interface FakePrometheus extends Prometheus {
  /** Queries so far, oldest first. */
  readonly asked: readonly { readonly query: string; readonly at: number }[];
  /** From this time on (default: always) the query answers these series. */
  plant(query: string, series: readonly number[], from?: number): void;
  /** Makes the query one that does not parse. */
  refuse(query: string): void;
  setUnavailable(down: boolean): void;
}

function answer(series: Planted["series"] | undefined): QueryAnswer {
  if (series === "refused") return { kind: "refused", why: "bad_data: parse error" };
  const [first, ...others] = series ?? [];
  if (first === undefined) return { kind: "noData", why: "the query answered no series" };
  if (others.length > 0) return { kind: "refused", why: `the query answers ${others.length + 1} series` };
  return Number.isFinite(first)
    ? { kind: "value", value: first }
    : { kind: "noData", why: `the answer is ${first}, which is not a number to compare` };
}

export function createFakePrometheus(): FakePrometheus {
  const planted = new Map<string, readonly Planted[]>();
  const asked: { query: string; at: number }[] = [];
  let isDown = false;
  const add = (query: string, each: Planted): void => void planted.set(query, [...(planted.get(query) ?? []), each]);
  return {
    asked,
    plant: (query, series, from = Number.NEGATIVE_INFINITY) => add(query, { from, series }),
    refuse: (query) => add(query, { from: Number.NEGATIVE_INFINITY, series: "refused" }),
    setUnavailable: (down) => void (isDown = down),
    async query(query, at) {
      asked.push({ query, at });
      if (isDown) return { kind: "unavailable", why: "it is down" };
      return answer(planted.get(query)?.findLast(({ from }) => from <= at)?.series);
    },
  };
}
