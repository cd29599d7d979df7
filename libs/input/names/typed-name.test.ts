import { describe, expect, test } from "vitest";

import { completeName, namesWorkload, readNamespaceName, readNamespaceOfWorkload } from "./typed-name.ts";

const web = { cluster: "prod-a", namespace: "shop", kind: "Deployment", name: "web" };

describe("names of a workload", () => {
  const forms = [
    "prod-a:shop/Deployment/web",
    "shop/Deployment/web",
    "shop/deployment/web",
    "shop/DEPLOYMENTS/web",
    "shop/deployments.apps/web",
    "prod-a:shop/deploy/web",
    "shop/web",
    "Deployment/web",
    "deploy/web",
    "web",
    "'prod-a:shop/Deployment/web'",
    '"shop/web",',
    "`prod-a:shop/Deployment/web`",
    String.raw`prod\-a:shop/Deployment/web`,
    "prod-a shop/Deployment/web",
    "prod-a   Deployment/web",
    "workload/prod-a:shop/Deployment/web",
    "drift/prod-a:shop/Deployment/web",
  ];
  test.each(forms)("%s is the workload", (text) => expect(namesWorkload(text, web)).toBe(true));

  const others = [
    "prod-b:shop/Deployment/web",
    "shop/StatefulSet/web",
    "mail/web",
    "shop",
    "",
    "shop/Deployment/web/x",
  ];
  test.each(others)("%s is another", (text) => expect(namesWorkload(text, web)).toBe(false));
});

const namespaces: readonly (readonly [text: string, want: string | undefined])[] = [
  ["shop", "shop"],
  ["prod-a:shop", "prod-a shop"],
  ["prod-a:shop/*", "prod-a shop"],
  ["'shop/*'", "shop"],
  ["namespace/shop", "shop"],
  ["shop/web", undefined],
  ["Shop", undefined],
  ["", undefined],
];
test.each(namespaces)("the namespace that %s names: %s", (text, want) => {
  const { cluster, namespace } = readNamespaceName(text) ?? {};
  expect([cluster, namespace].filter((each) => each !== undefined).join(" ")).toBe(want ?? "");
});

const inWorkloads: readonly (readonly [text: string, want: string | undefined])[] = [
  ["prod-a:shop/Deployment/web", "shop"],
  ["shop/web", "shop"],
  ["Deployment/web", undefined],
  ["shop", undefined],
];
test.each(inWorkloads)("the namespace in %s: %s", (text, want) => {
  expect(readNamespaceOfWorkload(text)?.namespace).toBe(want);
});

const complete: readonly (readonly [text: string, want: string | undefined])[] = [
  ["prod-a:shop/deploy/web", "prod-a:shop/Deployment/web"],
  ["'prod-a:shop/*'", "prod-a:shop/*"],
  ["prod-a:shop", "prod-a:shop/*"],
  ["prod-a:shop/Widget/web", "prod-a:shop/Widget/web"],
  ["shop/Deployment/web", undefined],
  ["prod-a:shop/web", undefined],
];
test.each(complete)("%s in full: %s", (text, want) => expect(completeName(text)).toBe(want));
