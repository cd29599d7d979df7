import type { KubeModel } from "#fakes/kube";
import { printText } from "#libs/wording";
import { describe, expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, settingsOf, listMovedPaths } from "../shop.ts";

const names = ["a", "b"];
const settings = settingsOf("batchSize: 2");
const at = (place: string) => settingsOf("batchSize: 2", `clusters: { one: { controlPlane: { ${place} } } }\n`);
const waitsOf = async (flow: FleetFlow) => (await flow.status())?.waiting ?? [];

/** Moves the istiod of `new` to another place than that of Istio's chart. */
const move = (namespace: string, labels: Readonly<Record<string, string>>) => (model: KubeModel) => {
  model.setIstiod("new", "missing");
  model.changeWebhook("new", { elsewhere: "service" });
  model.addDeployment({ ns: namespace, name: "istiod", labels: { ...labels, "istio.io/rev": "new" } });
};

describe("5 a revision is ready when a new pod gets its sidecar, wherever its istiod runs", () => {
  const places: readonly (readonly [where: string, prepare: (model: KubeModel) => void, settings: string])[] = [
    [
      "behind a URL",
      (model) => {
        model.setIstiod("new", "missing");
        model.changeWebhook("new", { elsewhere: "url" });
      },
      settings,
    ],
    [
      "behind a Service that leads out of the cluster, as with a management cluster",
      (model) => {
        model.setIstiod("new", "missing");
        model.changeWebhook("new", { elsewhere: "service" });
      },
      at("cluster: mgmt"),
    ],
    ["in another namespace, as main says", move("mesh", { app: "istiod" }), at("namespace: mesh")],
  ];
  test.each(places)("%s", async (_, prepare, merged) => {
    const flow = await openShop({ names, prepare, settings: merged });
    flow.whenMerged(file(100));
    const [run] = await flow.untilRunsEnd(1);
    expect([run?.state, countOn(flow, "new", names)]).toEqual(["done", 2]);
    await flow.end();
  });
});

describe("5 nothing moves to a revision whose pods would get another sidecar, or none", () => {
  const causes: readonly (readonly [
    what: string,
    code: string,
    words: RegExp,
    happens: (model: KubeModel) => () => void,
  ])[] = [
    [
      "its webhook is missing, and no istiod of this cluster could install it",
      "RevisionMissing",
      /no injector webhook/u,
      (model) => {
        model.setIstiod("old", "missing");
        model.setIstiod("new", "missing");
        model.removeWebhook("new");
        return () => undefined;
      },
    ],
    [
      "another one overlaps it and is called last",
      "InjectionRefused",
      /with the sidecar of old/u,
      (model) => model.addOverlap("new", "old"),
    ],
    [
      "its istiod is silent and failurePolicy is Ignore",
      "InjectionRefused",
      /without a sidecar/u,
      (model) => {
        model.setIstiod("new", "missing");
        model.changeWebhook("new", { failurePolicy: "Ignore" });
        return () => model.changeWebhook("new", { elsewhere: "url" });
      },
    ],
  ];
  test.each(causes)("%s", async (_, code, words, happens) => {
    const flow = await openShop({ names, settings });
    const fix = happens(flow.model("one"));
    flow.whenMerged(file(100));
    const findWait = async () => (await waitsOf(flow)).find((each) => each.code === code);
    await flow.until("it is named", async () => (await findWait()) !== undefined);
    await flow.pass(60_000);
    const wait = await findWait();
    expect(wait === undefined ? "" : printText(wait.message)).toMatch(words);
    expect([listMovedPaths(flow), wait?.command?.includes("istioctl") === true]).toEqual([[], false]);
    fix();
    if (code === "InjectionRefused") await flow.untilRunsEnd(1);
    await flow.end();
  });
});
