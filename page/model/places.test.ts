import { expect, it } from "vitest";

import { linkMoment, linkNamespace, linkScope, splitWorkload } from "./places.ts";

it.each([
  { name: "east:shop/Deployment/web", want: { cluster: "east", namespace: "shop", rest: "Deployment/web" } },
  { name: "shop/Deployment/web", want: { cluster: "", namespace: "shop", rest: "Deployment/web" } },
  { name: "", want: { cluster: "", namespace: "", rest: "" } },
])("$name is split into its parts", ({ name, want }) => expect(splitWorkload(name)).toEqual(want));

it("a name with any characters is one part of an address", () =>
  expect(linkNamespace("a/../b?c")).toBe("/namespaces/a%2F..%2Fb%3Fc"));

it.each([
  { scope: "run/4c8b717cd4df", want: "/runs/4c8b717cd4df" },
  { scope: "namespace/shop", want: "/namespaces/shop" },
  { scope: "campaign/istio-1-25", want: "/history?subject=campaign%2Fistio-1-25" },
  { scope: "all", want: "/history?subject=all" },
  { scope: "javascript:alert(1)", want: "/history?subject=javascript%3Aalert(1)" },
  { scope: "", want: "/history" },
])("what '$scope' names has an address within the page", ({ scope, want }) => expect(linkScope(scope)).toBe(want));

it("a moment's address has its time", () =>
  expect(linkMoment("2026-11-19T11:41:00.000Z")).toBe("/?at=2026-11-19T11%3A41%3A00.000Z"));
