import { describe, expect, it } from "vitest";

import { countProxies, mergeReports, readIstiodVersion } from "./istiod-report.ts";

describe("/version", () => {
  it.each([
    ["1.29.2-5f5d657c72d30a97cae97938de3a6831583e9f15-Clean", "1.29.2"],
    ["1.29.2-5f5d657c72d30a97cae97938de3a6831583e9f15-dirty-Modified\n", "1.29.2"],
    ["1.30.0-rc.1-5f5d657c72d30a97cae97938de3a6831583e9f15-Clean", "1.30.0-rc.1"],
    ["1.30-alpha.9f2c1d5a-5f5d657c72d30a97cae97938de3a6831583e9f15-Clean", "1.30-alpha.9f2c1d5a"],
    ["unknown-unknown-unknown", "unknown"],
    ["1.29.2", "1.29.2"],
    ["<html>no", "<html>no"],
    [1.29, "1.29"],
    [{ version: "x" }, '{"version":"x"}'],
  ])("%j is %s", (body, want) => {
    expect(readIstiodVersion(body)).toBe(want);
  });
});

/** In the form of istiod 1.29, reduced to the fields that differ between proxies. */
function makeStatus(change: object = {}): object {
  return {
    cluster_id: "Kubernetes",
    proxy: "cart-6d4cf56db6-x7k2p.shop",
    proxy_type: "sidecar",
    istio_version: "1.29.2",
    cluster_sent: "n1",
    cluster_acked: "n1",
    listener_sent: "n2",
    listener_acked: "n2",
    endpoint_sent: "n3",
    endpoint_acked: "n3",
    resources: {
      "type.googleapis.com/envoy.config.cluster.v3.Cluster": {
        sent: "n1",
        acked: "n1",
        sentTime: "2026-11-20T10:00:00Z",
      },
      "type.googleapis.com/envoy.config.listener.v3.Listener": { sent: "n2", acked: "n2" },
    },
    ...change,
  };
}

describe("/debug/syncz", () => {
  const cases: Record<string, { readonly status: object; readonly synced: boolean }> = {
    "all acknowledged; routes were never asked for": { status: makeStatus(), synced: true },
    "an istiod that has no `resources` yet": { status: makeStatus({ resources: undefined }), synced: true },
    "a listener that is on its way": { status: makeStatus({ listener_sent: "n9" }), synced: false },
    "a listener that was refused (NACK)": {
      status: makeStatus({
        listener_acked: undefined,
        resources: {
          "type.googleapis.com/envoy.config.listener.v3.Listener": { sent: "n2", lastError: "no such filter" },
        },
      }),
      synced: false,
    },
    "a type that only `resources` names, not acknowledged": {
      status: makeStatus({ resources: { "type.googleapis.com/istio.networking.nds.v1.NameTable": { sent: "n5" } } }),
      synced: false,
    },
    "one that has just connected, with nothing sent": {
      status: { proxy: "cart.shop", proxy_type: "sidecar", istio_version: "1.29.2" },
      synced: false,
    },
    "one that has its clusters, and no listener yet": {
      status: makeStatus({ listener_sent: undefined, listener_acked: undefined, resources: {} }),
      synced: false,
    },
    "a ztunnel, which knows neither": {
      status: {
        proxy: "ztunnel-x.istio-system",
        proxy_type: "ztunnel",
        resources: { "type.googleapis.com/istio.workload.Address": { sent: "n1", acked: "n1" } },
      },
      synced: true,
    },
  };
  for (const [name, { status, synced }] of Object.entries(cases)) {
    it(`${name}: ${synced ? "synced" : "not synced"}`, () => {
      expect(countProxies([makeStatus(), status])).toMatchObject({ connected: 2, synced: synced ? 2 : 1 });
    });
  }

  it.each([[[]], [null]])("%j means no proxy", (body) => {
    expect(countProxies(body)).toEqual({ connected: 0, synced: 0, byNamespace: {} });
  });

  it.each([[undefined], ["upstream connect error"], [{ items: [] }], [[1]], [[{ name: "x" }]]])(
    "%j is no answer of an istiod: unknown",
    (body) => {
      expect(countProxies(body)).toBeUndefined();
    },
  );
});

describe("a revision by all its istiods", () => {
  const one = { version: "1.29.2", proxies: { connected: 3, synced: 2 } };
  it("adds up the proxies: each istiod knows only its own", () => {
    const want = { version: "1.29.2", proxies: { connected: 7, synced: 6 } };
    expect(mergeReports([one, { version: "1.29.2", proxies: { connected: 4, synced: 4 } }])).toEqual(want);
  });
  it("one that did not report makes the sum unknown", () => {
    expect(mergeReports([one, { version: "1.29.2" }])).toEqual({ version: "1.29.2" });
    expect(mergeReports([one, { proxies: { connected: 4, synced: 4 } }])).not.toHaveProperty("version");
  });
  it("two versions at once give no version", () => {
    expect(mergeReports([one, { version: "1.29.3" }]).version).toBe("1.29.2, 1.29.3");
  });
  it("without an istiod nothing is known", () => {
    expect(mergeReports([])).toEqual({});
  });
});
