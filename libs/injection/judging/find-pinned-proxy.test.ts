import type { ClusterFacts, PodGroup, Workload } from "#libs/fleet";
import { makeControlPlane, makeWorkload, type WorkloadSketch } from "#fakes/fleet";
import { describe, expect, it } from "vitest";

import { findPinnedProxy, foreseePinnedProxy } from "./find-pinned-proxy.ts";

const target = "1-25-2";
const [own, old] = ["istio/proxyv2:1.25.2", "istio/proxyv2:1.24.5"];
const pin = { "sidecar.istio.io/proxyImage": old };

interface Case {
  readonly name: string;
  /** Image of the pods' sidecars, where it is not the usual one. */
  readonly image?: string;
  readonly revision?: string;
  readonly template?: WorkloadSketch;
  /** Image that the owner's template pins in a container. */
  readonly container?: string;
  readonly usual?: string | undefined;
  readonly injects?: string | undefined;
  readonly want: string | undefined;
}

function make({ image, revision = target, template = {}, container }: Case): Workload {
  const group: PodGroup = { revision, count: 2, ready: 2, ...(image === undefined ? {} : { image }) };
  const workload = makeWorkload({ pods: [group], ...template });
  return container === undefined
    ? workload
    : { ...workload, template: { ...workload.template, proxyImage: container } };
}

function makeFacts({ usual, injects }: Pick<Case, "usual" | "injects">): Pick<ClusterFacts, "revisions" | "injection"> {
  const { revisions } = makeControlPlane([target]);
  return {
    revisions: revisions.map((each) => (usual === undefined ? each : { ...each, proxyImage: usual })),
    ...(injects === undefined ? {} : { injection: { [target]: { state: "proven", image: injects } } }),
  };
}

const cases: readonly Case[] = [
  { name: "its revision's own", usual: own, injects: own, want: undefined },
  {
    name: "an annotation pins it",
    image: old,
    template: { templateAnnotations: pin },
    usual: own,
    injects: own,
    want: `${old} sidecar.istio.io/proxyImage`,
  },
  {
    name: "a container of its template pins it",
    image: old,
    container: old,
    usual: own,
    injects: own,
    want: `${old} container istio-proxy`,
  },
  {
    name: "all of the cluster are pinned, and a dry run shows what is injected",
    template: { templateAnnotations: pin },
    usual: old,
    injects: own,
    want: `${old} sidecar.istio.io/proxyImage`,
  },
  {
    name: "the only workload is pinned, and no dry run was tried",
    image: old,
    template: { templateAnnotations: pin },
    want: `${old} sidecar.istio.io/proxyImage`,
  },
  {
    name: "no pod shows its image, and its template pins it",
    template: { templateAnnotations: pin },
    want: `${old} sidecar.istio.io/proxyImage`,
  },
  {
    name: "pinned to what is injected anyway",
    template: { templateAnnotations: { "sidecar.istio.io/proxyImage": own } },
    usual: own,
    injects: own,
    want: undefined,
  },
  { name: "another build of the same version", image: `${own}-distroless`, usual: own, injects: own, want: undefined },
  {
    name: "something that its template does not show changes it",
    image: "mirror/proxyv2:1.24.5",
    usual: own,
    injects: own,
    want: "mirror/proxyv2:1.24.5",
  },
  {
    name: "its revision was upgraded in place, and most pods are older",
    usual: old,
    injects: own,
    want: undefined,
  },
  {
    name: "its revision was upgraded in place, and it was restarted since",
    image: own,
    usual: old,
    injects: own,
    want: undefined,
  },
  { name: "nothing is known of images", want: undefined },
  {
    name: "its pods are of another revision",
    image: old,
    revision: "1-24-5",
    usual: own,
    injects: own,
    want: undefined,
  },
];

describe("a sidecar that its owner pins", () => {
  it.each(cases)("$name", (each) => {
    const found = findPinnedProxy(make(each), target, target, makeFacts(each));
    const printed = found === undefined ? undefined : [found.image, found.by].filter(Boolean).join(" ");
    expect(printed).toBe(each.want);
  });

  it("is predicted from its template, before a pod shows it", () => {
    const { template } = makeWorkload({ templateAnnotations: pin });
    expect(foreseePinnedProxy(template, target, makeFacts({ injects: own }))).toMatchObject({
      image: old,
      injects: own,
    });
    expect(foreseePinnedProxy(template, target, makeFacts({ injects: old }))).toBeUndefined();
    expect(foreseePinnedProxy(makeWorkload().template, target, makeFacts({ injects: own }))).toBeUndefined();
  });
});
