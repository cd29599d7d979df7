import { describe, expect, it } from "vitest";

import { countProxies, mergeReports, reportIstiod } from "./istiod-report.ts";
import type { ProxyStatus, ResourceStatus } from "./proxy-status.ts";

const cluster = "type.googleapis.com/envoy.config.cluster.v3.Cluster";
const listener = "type.googleapis.com/envoy.config.listener.v3.Listener";
const route = "type.googleapis.com/envoy.config.route.v3.RouteConfiguration";

function makeProxy(resources: readonly ResourceStatus[], proxy = "cart-x7k2p.shop"): ProxyStatus {
  return { proxy, resources };
}

const good = makeProxy([
  { type: cluster, state: "synced" },
  { type: listener, state: "synced" },
]);

describe("the proxies of an istiod", () => {
  const cases: Record<string, { readonly resources: readonly ResourceStatus[]; readonly synced: boolean }> = {
    "all acknowledged": { resources: good.resources, synced: true },
    "routes were asked for, and there are none": {
      resources: [...good.resources, { type: route, state: "notSent" }],
      synced: true,
    },
    "routes that are on their way": { resources: [...good.resources, { type: route, state: "stale" }], synced: false },
    "a state that a later istiod has": {
      resources: [...good.resources, { type: route, state: "unknown" }],
      synced: false,
    },
    "a listener that was refused": {
      resources: [
        { type: cluster, state: "synced" },
        { type: listener, state: "error", error: "no" },
      ],
      synced: false,
    },
    "one that has just connected, with nothing sent": { resources: [], synced: false },
    "one that has its clusters, and no listener yet": {
      resources: [{ type: cluster, state: "synced" }],
      synced: false,
    },
    "one that is told that there are no listeners yet": {
      resources: [
        { type: cluster, state: "synced" },
        { type: listener, state: "notSent" },
      ],
      synced: false,
    },
    "a ztunnel, which knows neither": {
      resources: [{ type: "type.googleapis.com/istio.workload.Address", state: "synced" }],
      synced: true,
    },
  };
  for (const [name, { resources, synced }] of Object.entries(cases)) {
    it(`${name}: ${synced ? "synced" : "not synced"}`, () => {
      expect(countProxies([good, makeProxy(resources)])).toMatchObject({ connected: 2, synced: synced ? 2 : 1 });
    });
  }

  it("no proxy", () => {
    expect(countProxies([])).toEqual({ connected: 0, synced: 0, byNamespace: {} });
  });

  it("names who refused its configuration, what, and why, in one line and not endlessly", () => {
    const refuse = (proxy: string, error: string) => makeProxy([{ type: listener, state: "error", error }], proxy);
    const counted = countProxies([
      good,
      refuse("a.shop", "unknown\nfilter \u001b[31m'x'"),
      refuse("b.ads", "y".repeat(999)),
    ]);
    expect(counted).toMatchObject({
      connected: 3,
      synced: 1,
      refused: 2,
      byNamespace: { ads: [1, 0, 1], shop: [2, 1, 1] },
    });
    const [first, second] = counted.refusals ?? [];
    expect(first).toMatchObject({ proxy: "a.shop", type: "Listener", why: expect.stringMatching(/^unknown filter/u) });
    expect([first?.why.includes("\n"), first?.why.includes("\u001b")]).toEqual([false, false]);
    expect(second?.why.length).toBeLessThanOrEqual(401);
  });

  it("of many refusals one of each namespace is named first", () => {
    const refuse = (proxy: string) => makeProxy([{ type: listener, state: "error", error: "no" }], proxy);
    const many = Array.from({ length: 30 }, (_, index) => refuse(`web-${index}.shop`));
    const { refused, refusals = [] } = countProxies([...many, refuse("api.ads")]);
    expect([refused, refusals.length, refusals[1]?.proxy]).toEqual([31, 20, "api.ads"]);
  });
});

describe("a revision by all its istiods", () => {
  const one = reportIstiod({ version: "1.29.2", proxies: [good, makeProxy([], "new.shop")] });
  const other = reportIstiod({ version: "1.29.2", proxies: [makeProxy(good.resources, "b.ads")] });
  it("adds up the proxies: each istiod knows only its own", () => {
    const byNamespace = { ads: [1, 1], shop: [2, 1] };
    expect(mergeReports([one, other])).toEqual({
      version: "1.29.2",
      proxies: { connected: 3, synced: 2, byNamespace },
    });
  });
  it("one that did not report makes the sum unknown", () => {
    expect(mergeReports([one, { version: "1.29.2" }])).toEqual({ version: "1.29.2" });
    expect(mergeReports([one, reportIstiod({ proxies: [good] })])).not.toHaveProperty("version");
  });
  it("two versions at once give no version", () => {
    expect(mergeReports([one, { version: "1.29.3" }]).version).toBe("1.29.2, 1.29.3");
  });
  it("without an istiod nothing is known", () => {
    expect(mergeReports([])).toEqual({});
  });
});
