import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";

import { createWorkloads, readInjected, type Workload } from "../../fleet/workloads.ts";
import { old, older, SailBed, target } from "./open-sail-bed.ts";

// Named after Sail's test plan (its Integration Tests); README.md says where the others are.

/** Workloads by where their revision is said, in namespaces with these labels. */
const places = {
  "many-template": {},
  "many-labelled": { "istio.io/rev": older },
  "many-default": { "istio-injection": "enabled" },
  "many-beaten": { "istio.io/rev": old },
  "many-asked": {},
} as const;
const make = (namespace: keyof typeof places, name: string, labels: Workload["labels"] = {}): Workload => ({
  namespace,
  name,
  labels,
});
const many = [
  { workload: make("many-template", "older", { "istio.io/rev": older }), begins: older },
  { workload: make("many-template", "old", { "istio.io/rev": old }), begins: old },
  { workload: make("many-labelled", "web"), begins: older },
  { workload: make("many-default", "web"), begins: old },
  { workload: make("many-beaten", "plain"), begins: old },
  { workload: make("many-asked", "web", { "sidecar.istio.io/inject": "true" }), begins: old },
];

function describeCampaign(maxVersion: string): string {
  const spec = {
    target,
    replaces: [older, old],
    maxVersion,
    stages: [{ name: "all", set: { "bounded-.*": 100 } }],
  };
  const campaign = { apiVersion: "meshroll.dev/v1", kind: "Campaign", metadata: { name: "bounded" }, spec };
  // A version without quotes could be read as a number.
  return stringify(campaign, { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" });
}

/** Its namespace's label wins over its own, by Istio's selectors: which of the two its owner means is not guessed. */
const contradictory = make("many-beaten", "overridden", { "istio.io/rev": older });

describe("Sail's integration tests: revisions, tags, version boundaries", () => {
  let opened: SailBed | undefined;
  const bed = (): SailBed => {
    if (opened === undefined) throw new Error("no bed");
    return opened;
  };
  beforeAll(async () => {
    opened = await SailBed.open();
  });
  afterAll(async () => opened?.close());

  const injected = (workload: Workload) => readInjected(bed().cluster, workload);
  const readLabel = (namespace: string, label: string) => {
    const path = `jsonpath={.metadata.labels.${label.replaceAll(".", "\\.")}}`;
    return bed().cluster.kubectl(["get", "namespace", namespace, "-o", path]);
  };

  it("Multiple Revisions: several old revisions, by namespace, by istio-injection=enabled and by Deployment, to one", async () => {
    createWorkloads(bed().cluster, places, [...many.map(({ workload }) => workload), contradictory]);
    expect(many.map(({ workload }) => injected(workload))).toEqual(many.map(({ begins }) => begins));
    const run = await bed().move("many", "batchSize: 3, delayBetweenBatches: 0s");
    const skipped = run.outcome?.skipped.map(({ workload, code }) => [workload, code]);
    expect([run.state, run.outcome?.migrated, skipped]).toEqual([
      "done",
      many.length,
      [["many-beaten/Deployment/overridden", "ContradictoryLabels"]],
    ]);
    expect(many.map(({ workload }) => injected(workload))).toEqual(many.map(() => target));
    expect(injected(contradictory)).toBe(old);
    const labels = ["many-labelled", "many-default", "many-beaten"].map((name) => [
      readLabel(name, "istio.io/rev"),
      readLabel(name, "istio-injection"),
    ]);
    expect(labels).toEqual([
      [target, ""],
      [target, ""],
      [target, ""],
    ]);
  });

  it("IstioRevisionTag Support: nothing restarts before the tag's target is updated, and labels go on naming the tag", async () => {
    const web: Workload = { namespace: "tagged-shop", name: "web" };
    createWorkloads(bed().cluster, { "tagged-shop": { "istio.io/rev": "prod" } }, [web]);
    await bed().begin("tagged", "batchSize: 3, delayBetweenBatches: 0s");
    await bed().fleet.until("status names the tag", async () => {
      return (await bed().fleet.status())?.waiting.some(({ code }) => code === "TagNotMoved") === true;
    });
    expect([injected(web), bed().listWrites("tagged")]).toEqual([old, []]);
    bed().mesh.setTag("prod", target);
    const run = await bed().end();
    expect([run.state, injected(web), readLabel("tagged-shop", "istio.io/rev")]).toEqual(["done", target, "prod"]);
    expect(
      bed()
        .listWrites("tagged")
        .map(({ objectRef }) => objectRef?.resource),
    ).toEqual(["deployments"]);
  });

  it("Version Boundaries: skipped when version > maxVersion, triggered when version ≤ maxVersion", async () => {
    const web: Workload = { namespace: "bounded-shop", name: "web", labels: { "istio.io/rev": old } };
    createWorkloads(bed().cluster, { "bounded-shop": {} }, [web]);
    await bed().declare("bounded", { "campaigns/bounded.yml": describeCampaign("1.30.999") });
    await bed().begin("bounded", "batchSize: 3, delayBetweenBatches: 0s");
    await bed().fleet.until("status names the limit", async () => {
      return (await bed().fleet.status())?.waiting.some(({ code }) => code === "VersionAboveMax") === true;
    });
    expect([injected(web), bed().listWrites("bounded")]).toEqual([old, []]);
    await bed().fleet.merge({ "campaigns/bounded.yml": describeCampaign("1.31.0") });
    const run = await bed().end();
    expect([run.state, run.campaign, injected(web)]).toEqual(["done", "bounded", target]);
  });
});
