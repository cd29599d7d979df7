import type { AuditedObject } from "./evidence.ts";

/** A WorkloadGroup: what its VMs shall run is in annotations, and they mean what a pod template means elsewhere. */
export const groupPath = /^\/apis\/networking\.istio\.io\/v1\/namespaces\/[^/]+\/workloadgroups\/[^/]+$/u;

/** Annotations of a WorkloadGroup, and the key of a pod template that each stands for. */
export const standIns = {
  labels: { key: "istio.io/rev", annotation: "meshroll.dev/revision" },
  annotations: { key: "meshroll.dev/restarted-for", annotation: "meshroll.dev/restarted-for" },
} as const;

type Values<Value> = Readonly<Record<string, Value>>;

/** The annotations of a group, or the change of them in a patch, taken apart into its own and those of the template. */
export function splitAnnotations<Value>(all: Values<Value>): Record<"own" | keyof typeof standIns, Values<Value>> {
  const entries = Object.entries(all);
  const take = ({ key, annotation }: (typeof standIns)[keyof typeof standIns]) =>
    Object.fromEntries(entries.flatMap(([name, value]) => (name === annotation ? [[key, value] as const] : [])));
  const taken: readonly string[] = [standIns.labels.annotation, standIns.annotations.annotation];
  return {
    own: Object.fromEntries(entries.filter(([name]) => !taken.includes(name))),
    labels: take(standIns.labels),
    annotations: take(standIns.annotations),
  };
}

/** What an object has in place of a pod template. */
export function readGroup(all: Values<string>): Required<Pick<AuditedObject, "annotations" | "template">> {
  const { own, labels, annotations } = splitAnnotations(all);
  return { annotations: own, template: { labels, annotations, hostNetwork: false } };
}
