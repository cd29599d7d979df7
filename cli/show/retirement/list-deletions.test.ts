import type { InstalledObject } from "#libs/fleet";
import { expect, it } from "vitest";

import { listDeletions } from "./list-deletions.ts";

const manifest = { kind: "manifest" } as const;
const helm = { kind: "helm", release: "istiod-1-30", namespace: "istio-system" } as const;
const namespace = "istio-system";
const installed: readonly InstalledObject[] = [
  {
    resource: "mutatingwebhookconfigurations.admissionregistration.k8s.io",
    name: "istio-sidecar-injector-1-30",
    by: helm,
  },
  { resource: "validatingwebhookconfigurations.admissionregistration.k8s.io", name: "own", by: manifest },
  { resource: "deployments.apps", namespace, name: "istiod-1-30", by: helm },
  { resource: "services", namespace, name: "istiod-1-30", by: { kind: "istioctl" } },
  { resource: "configmaps", namespace, name: "istio-1-30", by: { kind: "sail", istioRevision: "default-1-30" } },
  { resource: "serviceaccounts", namespace, name: "istiod-1-30", by: manifest },
  { resource: "roles.rbac.authorization.k8s.io", namespace, name: "istiod-1-30", by: manifest },
];

it("one command for each installer, and kubectl's for each namespace", () => {
  expect(
    listDeletions("one", "1-30", installed).map(({ command, objects }) => `${command}: ${objects.length}`),
  ).toEqual([
    "helm uninstall istiod-1-30 -n istio-system # in cluster one: 2",
    "kubectl delete validatingwebhookconfigurations.admissionregistration.k8s.io/own # in cluster one: 1",
    "istioctl uninstall --revision 1-30 # in cluster one: 1",
    "kubectl delete istiorevisions.sailoperator.io default-1-30 # in cluster one: 1",
    "kubectl delete -n istio-system serviceaccounts/istiod-1-30 roles.rbac.authorization.k8s.io/istiod-1-30 # in cluster one: 2",
  ]);
  expect(listDeletions("one", "1-30", [])).toEqual([]);
});
