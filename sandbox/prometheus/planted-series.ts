interface Planted {
  readonly from: number;
  readonly kind: "vector" | "scalar" | "refused";
  readonly values: readonly number[];
}

/** An answer in the form of Prometheus' API. */
export interface PlantedAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface PlantedSeries {
  /** The query returns these series at times from `from` on, epoch ms. Default: always. */
  plant(query: string, values: readonly number[], from?: number): void;
  plantScalar(query: string, value: number): void;
  /** Makes the query one that does not parse. */
  refuse(query: string): void;
  answer(query: string, at: number): PlantedAnswer;
}

/** A number as Go prints it. */
function printNumber(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}

function answerWith({ kind, values }: Planted, at: number): PlantedAnswer {
  const pair = (value: number): readonly [number, string] => [at / 1000, printNumber(value)];
  if (kind === "refused") {
    const error = 'invalid parameter "query": 1:5: parse error: unclosed left parenthesis';
    return { status: 400, body: { status: "error", errorType: "bad_data", error } };
  }
  const result =
    kind === "scalar"
      ? pair(values[0] ?? 0)
      : values.map((value, index) => ({
          metric: values.length > 1 ? { pod: `pod-${index}` } : {},
          value: pair(value),
        }));
  return { status: 200, body: { status: "success", data: { resultType: kind, result } } };
}

/** Planted series by the exact text of their query; other queries return an empty vector. */
export function createPlantedSeries(): PlantedSeries {
  const planted = new Map<string, readonly Planted[]>();
  const always = Number.NEGATIVE_INFINITY;
  const add = (query: string, each: Planted): void => void planted.set(query, [...(planted.get(query) ?? []), each]);
  return {
    plant: (query, values, from = always) => add(query, { from, kind: "vector", values }),
    plantScalar: (query, value) => add(query, { from: always, kind: "scalar", values: [value] }),
    refuse: (query) => add(query, { from: always, kind: "refused", values: [] }),
    answer(query, at) {
      const found = planted.get(query)?.findLast(({ from }) => from <= at);
      return answerWith(found ?? { from: always, kind: "vector", values: [] }, at);
    },
  };
}
