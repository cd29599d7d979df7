import { describe, expect, it } from "vitest";

import { resolveWorkloads } from "./resolve-workloads.ts";

const skipped = [
  { cluster: "prod-a", workload: "shop/Deployment/web" },
  { cluster: "prod-b", workload: "shop/Deployment/web" },
  { cluster: "prod-a", workload: "shop/StatefulSet/store" },
  { cluster: "prod-a", workload: "mail/Deployment/send" },
];

const cases: readonly {
  readonly name: string;
  readonly typed: readonly string[];
  readonly want: readonly string[];
}[] = [
  { name: "its full name", typed: ["prod-a:shop/Deployment/web"], want: ["prod-a:shop/Deployment/web"] },
  { name: "an unambiguous name", typed: ["send"], want: ["prod-a:mail/Deployment/send"] },
  { name: "kind and name", typed: ["StatefulSet/store"], want: ["prod-a:shop/StatefulSet/store"] },
  { name: "namespace and name with a cluster", typed: ["prod-b:shop/web"], want: ["prod-b:shop/Deployment/web"] },
  {
    name: "a namespace of one cluster",
    typed: ["prod-a:shop/*"],
    want: ["prod-a:shop/Deployment/web", "prod-a:shop/StatefulSet/store"],
  },
  {
    name: "a full name that is not in the list",
    typed: ["prod-c:tax/Deployment/api"],
    want: ["prod-c:tax/Deployment/api"],
  },
  { name: "a kind as kubectl writes it", typed: ["sts/store"], want: ["prod-a:shop/StatefulSet/store"] },
  {
    name: "a name with the quotes of a screen",
    typed: ["`prod-a:mail/deployment/send`,"],
    want: ["prod-a:mail/Deployment/send"],
  },
  { name: "a namespace alone", typed: ["mail"], want: ["prod-a:mail/Deployment/send"] },
  { name: "a namespace in a cluster", typed: ["prod-b:shop"], want: ["prod-b:shop/Deployment/web"] },
  { name: "the same workload twice", typed: ["send", "mail/send"], want: ["prod-a:mail/Deployment/send"] },
];

const refused: readonly { readonly name: string; readonly typed: string; readonly want: RegExp }[] = [
  { name: "refuses a name in two clusters", typed: "shop/web", want: /may be any of 2/ },
  { name: "refuses a namespace in two clusters", typed: "shop/*", want: /may be any of 3/ },
  { name: "refuses an unknown name", typed: "api", want: /no skipped workload of the run is called api/ },
];

describe("workloads as they are typed", () => {
  it.each(cases)("$name", ({ typed, want }) => {
    // The namespace is included, because one that failed as a whole is retried as a whole.
    const namespaces = new Set(want.map((name) => `${name.split("/", 1)[0]}/*`));
    expect(resolveWorkloads(typed, skipped)).toEqual([...want, ...namespaces]);
  });

  it.each(refused)("$name", ({ typed, want }) => expect(() => resolveWorkloads([typed], skipped)).toThrow(want));
});
