import { expect, it } from "vitest";

import { linkNamespace, splitWorkload } from "./places.ts";

it.each([
  { name: "east:shop/Deployment/web", want: { cluster: "east", namespace: "shop", rest: "Deployment/web" } },
  { name: "shop/Deployment/web", want: { cluster: "", namespace: "shop", rest: "Deployment/web" } },
  { name: "", want: { cluster: "", namespace: "", rest: "" } },
])("$name is split into its parts", ({ name, want }) => expect(splitWorkload(name)).toEqual(want));

it("a name with any characters is one part of an address", () =>
  expect(linkNamespace("a/../b?c")).toBe("/namespaces/a%2F..%2Fb%3Fc"));
