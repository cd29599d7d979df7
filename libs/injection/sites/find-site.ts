import { istioKeys, annotationKeys, type Namespace, parseAnnotations, type Workload } from "#libs/fleet";
import { lookUp } from "#libs/input";
import type { RefusedReason } from "#libs/wording";

import {
  type ControlPlane,
  type Decider,
  type EffectiveRevision,
  labelledRevision,
  readTag,
} from "./effective-revision.ts";

/** Where a workload's revision label is, and so what a move writes. */
export type Site =
  /** The label names a revision tag: its owner moves the tag, we restart. `revision` is where it points now. */
  | { readonly kind: "tag"; readonly tag: string; readonly revision: string; readonly on: "namespace" | "template" }
  /** The namespace is the unit: relabelled once, its workloads restarted. */
  | { readonly kind: "namespace"; readonly label: "istio.io/rev" | "istio-injection" }
  /** Written in CI by `meshroll mutate`, at this time as it is in the annotation. */
  | { readonly kind: "manifest"; readonly mutatedAt: string }
  /** One patch of the template's label; the changed label is the restart. */
  | { readonly kind: "template"; readonly label: "istio.io/rev" | "sidecar.istio.io/inject" }
  /**
   * No label decides, and the namespace has `meshroll.dev/inject: enabled`: the admission policy gives new pods a label until the first
   * move writes one in the template.
   */
  | { readonly kind: "admission" }
  | { readonly kind: "none"; readonly reason: string };

export type SiteSupport = { readonly ok: true } | { readonly ok: false; readonly reason: RefusedReason };

/** A tag decides, unless the target is a tag as well: then `rollouts.yml` names tags, and labels move between them. */
function findTag({ by, name }: EffectiveRevision, cluster: ControlPlane, target: string | undefined) {
  if (name === undefined || (by !== "namespaceRevision" && by !== "templateRevision")) return undefined;
  const revision = readTag(cluster, name);
  if (revision === undefined) return undefined;
  if (target !== undefined && readTag(cluster, target) !== undefined) return undefined;
  const on = by === "namespaceRevision" ? "namespace" : "template";
  return { kind: "tag", tag: name, revision, on } as const;
}

/** The most frequent sites, shared because each workload keeps one. */
const sites: Readonly<Record<Exclude<Decider, "admission">, Site>> = {
  namespaceInjection: { kind: "namespace", label: "istio-injection" },
  namespaceRevision: { kind: "namespace", label: "istio.io/rev" },
  templateRevision: { kind: "template", label: "istio.io/rev" },
  templateInject: { kind: "template", label: "sidecar.istio.io/inject" },
};

/** The first that matches, in the order of the table in `docs/explanation/injection-sites.md`. */
export function findSite(namespace: Namespace, workload: Workload, cluster: ControlPlane, target?: string): Site {
  const labelled = labelledRevision(namespace, workload, cluster);
  const tag = findTag(labelled, cluster, target);
  if (tag !== undefined) return tag;
  const { by, why } = labelled;
  if (by === undefined || by === "admission") return findUnlabelled(namespace, workload, why);
  const mutatedAt = by === "templateRevision" ? workload.annotations[annotationKeys.mutatedAt] : undefined;
  return mutatedAt === undefined ? sites[by] : { kind: "manifest", mutatedAt };
}

/** A group without a revision of its own, none of whose VMs says what it runs. */
const unreported: Site = { kind: "none", reason: "no VM of the group has said which revision it runs" };

/**
 * Our last move wrote the template's label, and it is gone: its owner's manifest no longer names it. Some tools take away what their
 * manifest no longer names (`kubectl apply`, Helm 3). A move writes it there again.
 */
function isTakenAway(workload: Workload): boolean {
  const marks = parseAnnotations(workload);
  if (marks.kind === "unreadable" || marks.run === undefined) return false;
  return lookUp(marks.previous?.template?.labels, istioKeys.revision) !== undefined;
}

function findUnlabelled(namespace: Namespace, workload: Workload, why = "no label selects an injector"): Site {
  if (workload.template.isVms === true) return unreported;
  const isAsked = namespace.labels[annotationKeys.inject] === "enabled";
  // `istio-injection=disabled` also makes the label of our injector, and one in the template, ineffective.
  const isSilenced = namespace.labels[istioKeys.injection] !== undefined;
  if (isSilenced) return { kind: "none", reason: why };
  if (isAsked) return { kind: "admission" };
  return isTakenAway(workload) ? sites.templateRevision : { kind: "none", reason: why };
}

/** Whether workloads of this site can be moved. The others are listed and refused. */
export function supportedNow(site: Site): SiteSupport {
  switch (site.kind) {
    case "tag":
    case "namespace":
    case "template":
    case "manifest":
    case "admission":
      return { ok: true };
    case "none":
      return { ok: false, reason: { code: "NoSite", why: site.reason } };
  }
}
