import { readFileSync } from "node:fs";

import { parseSettings } from "#libs/campaign";
import { evaluateFleet, listMeasurements } from "#libs/plan";
import { openPrometheus } from "#libs/prometheus";
import { makeCluster, makeMigrated, makeWorkload, noon, runId } from "#test/world/build";
import { gates, makeGateSnapshot } from "#test/world/campaigns/gates";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { countUp, type Series } from "./series.ts";
import { type RealPrometheus, startRealPrometheus } from "./start-real-prometheus.ts";

const page = readFileSync(new URL("../../docs/how-to/gate-on-metrics.md", import.meta.url), "utf8");
const example = /```yaml\n([^]*?)```/.exec(page)?.[1] ?? "";

/** Requests to one namespace in the last 20 minutes, good and bad ones per second, as the server's and the client's proxies count. */
function serve(namespace: string, good: number, bad: number): readonly Series[] {
  const count = (reporter: string, code: string, perSecond: number): Series => ({
    metric: "istio_requests_total",
    labels: { reporter, destination_workload_namespace: namespace, response_code: code },
    samples: countUp(perSecond, 20, noon),
  });
  return [count("destination", "200", good), count("destination", "503", bad), count("source", "503", 100)];
}

/** Pods by the revision that injected them. */
function run(revision: string, pods: number): Series {
  return { metric: "pods", labels: { rev: revision }, samples: [[noon - 60_000, pods]] };
}

const series = [
  ...serve("shop", 9, 1),
  ...serve("other", 19, 1),
  // Namespaces whose names start with another one's, or that an unescaped dot would match.
  ...serve("shop-eu", 0, 50),
  ...serve("the-shop", 0, 50),
  run("new", 3),
  run("newer", 500),
  run("old", 4),
];

// `shop` moved from old to new; `other` did not.
const clusters = [makeCluster("one", [makeMigrated(makeWorkload("shop/a"), "new", runId), makeWorkload("other/b")])];

function fillGate(change: Parameters<typeof gates.prometheus>[0]) {
  const gate = gates.prometheus({ ...change, maxRatioToBaseline: 2 });
  const snapshot = makeGateSnapshot({ gate, clusters });
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("the world has no main");
  return listMeasurements(snapshot, head, evaluateFleet(snapshot, head).views).map((each) => each.fill())[0] ?? {};
}

describe("a gate's query, evaluated by a real Prometheus", () => {
  let server: RealPrometheus;
  beforeAll(async () => {
    server = await startRealPrometheus(series);
  });
  afterAll(async () => server.close());

  async function evaluate(query: string | undefined): Promise<number> {
    const answer = await openPrometheus({ url: server.url }).query(query ?? "", noon);
    if (answer.kind !== "value") throw new Error(`${query}: ${JSON.stringify(answer)}`);
    return answer.value;
  }

  it("the how-to's example gives the error rate of moved workloads, and of the others as baseline", async () => {
    const parsed = parseSettings(`defaults:\n${example.replaceAll(/^(?=.)/gm, "  ")}`, "meshroll.yml");
    const gate = parsed.ok ? parsed.value.gates.find(({ name }) => name === "error-rate") : undefined;
    if (gate?.kind !== "prometheus") throw new Error("the how-to has no gate error-rate");
    const { query, baselineQuery } = fillGate({ query: gate.query, interval: gate.interval });
    expect(await evaluate(query)).toBeCloseTo(0.1, 6);
    expect(await evaluate(baselineQuery)).toBeCloseTo(0.05, 6);
  });

  it("a revision is matched as a whole name", async () => {
    const { query, baselineQuery } = fillGate({ query: 'sum(pods{rev=~"${revision}"})' });
    expect(await evaluate(query)).toBe(3);
    expect(await evaluate(baselineQuery)).toBe(4);
  });

  // `${window}` as printDuration writes it: each of these must be a valid PromQL duration.
  it.each([1000, 15_000, 60_000, 90_000, 300_000, 3_600_000, 5_400_000, 86_400_000, 90_061_000])(
    "Prometheus accepts a window of %i ms",
    async (interval) => {
      const query =
        'sum(count_over_time(istio_requests_total{destination_workload_namespace=~"${namespaces}"}[${window}]))';
      const { query: filled } = fillGate({ query, interval });
      // Three series, scraped every 15 s for 20 minutes; a range includes the samples at both ends.
      expect(await evaluate(filled)).toBe(3 * (Math.min(Math.floor(interval / 15_000), 80) + 1));
    },
  );

  it("thousands of namespaces fit into one query", async () => {
    const many = Array.from({ length: 3000 }, (_, index) =>
      makeMigrated(makeWorkload(`team-${index}/a`), "new", runId),
    );
    const gate = gates.prometheus({
      query: 'sum(istio_requests_total{destination_workload_namespace=~"${namespaces}"})',
    });
    const moved = makeMigrated(makeWorkload("shop/a"), "new", runId);
    const snapshot = makeGateSnapshot({ gate, clusters: [makeCluster("one", [...many, moved])] });
    const head = snapshot.specs.get(snapshot.main.head);
    if (head === undefined) throw new Error("the world has no main");
    const [measurement] = listMeasurements(snapshot, head, evaluateFleet(snapshot, head).views);
    expect(await evaluate(measurement?.fill().query)).toBe((9 + 1 + 100) * 20 * 60);
  });
});
