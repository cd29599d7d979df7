import type { FleetStatus } from "#libs/plan";
import { makeCluster, makeWorkload } from "#test/world/build";
import { describe, expect, it } from "vitest";

import { chooseSubject, type KnownFleet } from "./choose-subject.ts";

const clusters = new Map([
  ["prod-a", makeCluster("prod-a", [makeWorkload("shop/web"), makeWorkload("shop/api"), makeWorkload("mail/web")])],
  ["prod-b", makeCluster("prod-b", [makeWorkload("shop/web")])],
]);
const fleet = { snapshot: { clusters } } as unknown as KnownFleet;
const status = { campaigns: [{ name: "istio-1-25" }, { name: "mail" }] } as unknown as FleetStatus;

const inA = "prod-a:shop/Deployment/web";
const inB = "prod-b:shop/Deployment/web";

const cases: readonly { readonly typed: string; readonly scope: string; readonly workloads?: readonly string[] }[] = [
  { typed: "all", scope: "all" },
  { typed: "cluster/prod-a", scope: "cluster/prod-a" },
  { typed: String.raw`bucket/.*\.x`, scope: String.raw`bucket/.*\.x` },
  { typed: "`run/0123456789ab`", scope: "run/0123456789ab" },
  { typed: "istio-1-25", scope: "campaign/istio-1-25" },
  { typed: "mail", scope: "campaign/mail" },
  { typed: "shop", scope: "namespace/shop" },
  { typed: "'shop/*'", scope: "namespace/shop" },
  { typed: "prod-a:shop", scope: "namespace/shop", workloads: ["prod-a:shop/*"] },
  { typed: "prod-a:shop/*", scope: "namespace/shop", workloads: ["prod-a:shop/*"] },
  { typed: inA, scope: "namespace/shop", workloads: [inA] },
  { typed: "prod-a:shop/deploy/web", scope: "namespace/shop", workloads: [inA] },
  { typed: "drift/prod-b:shop/Deployment/web", scope: "namespace/shop", workloads: [inB] },
  { typed: "shop/Deployment/web", scope: "namespace/shop", workloads: [inA, inB] },
  { typed: "shop/api", scope: "namespace/shop", workloads: ["prod-a:shop/Deployment/api"] },
];

describe("what a converge is about", () => {
  it.each(cases)("$typed", ({ typed, ...want }) => expect(chooseSubject(typed, fleet, status)).toEqual(want));

  it("a workload that names several namespaces is refused with them", () => {
    expect(() => chooseSubject("deployment/web", fleet, status)).toThrow(/may be any of 3: say which/u);
  });

  it("a workload that there is not is refused", () => {
    expect(() => chooseSubject("shop/Deployment/wbe", fleet, status)).toThrow(/there is no workload shop/u);
  });

  it("without a fleet a full name is taken as it is", () => {
    expect(chooseSubject("prod-c:tax/deploy/api", undefined, undefined)).toEqual({
      scope: "namespace/tax",
      workloads: ["prod-c:tax/Deployment/api"],
    });
  });
});
