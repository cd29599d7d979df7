import type { FieldManager, Namespace, Workload } from "#libs/fleet";
import { renderWorkloadReason } from "#libs/wording";
import { makeMeshWorkload, makeNamespace } from "#fakes/fleet";
import { describe, expect, it } from "vitest";

import { applyChange } from "../fake.ts";
import type { Site } from "../sites/find-site.ts";
import { judgeOverwritten } from "./judge-overwritten.ts";
import type { AnnotatedObject, MoveOrder, Planned } from "./object-change.ts";
import { planMove } from "../patches/plan-move.ts";
import { planNamespaceRelabel } from "../patches/plan-namespace-relabel.ts";
import { planUndo } from "../patches/plan-undo.ts";

const old = "1-24-5";
const target = "1-25-2";
const order: MoveOrder = { run: "0123456789ab", target, attempt: 1 };
const argo: FieldManager = { name: "argocd-controller", operation: "Apply" };

function apply<T extends AnnotatedObject>(object: T, planned: Planned): T {
  if (planned.kind !== "write") throw new Error(planned.why);
  return applyChange(object, planned.change);
}

function move(site: Site): Workload {
  const workload = makeMeshWorkload(old, site.kind === "template" ? { labels: { "istio.io/rev": old } } : {});
  return apply(workload, planMove(workload, site, order));
}

function write(workload: Workload, change: Partial<Workload["template"]>, manager?: FieldManager): Workload {
  const template = { ...workload.template, ...change };
  return { ...workload, template, ...(manager === undefined ? {} : { revisionManager: manager }) };
}

const byLabel = move({ kind: "template", label: "istio.io/rev" });
const byToken = move({ kind: "tag", tag: "prod", revision: target, on: "namespace" });
const namespace = makeNamespace({ labels: { "istio-injection": "enabled" } });
const begun = apply(namespace, planNamespaceRelabel(namespace, order));

const overwritten: Record<
  string,
  { readonly object: AnnotatedObject; readonly wantText: string; readonly wantPointer: string }
> = {
  "5.5 a label that another manager puts back": {
    object: write(byLabel, { labels: { "istio.io/rev": old } }, argo),
    wantText: "Overwritten by argocd-controller",
    wantPointer: "/spec/template/metadata/labels/istio.io~1rev",
  },
  "5.5 a label that another manager removes": {
    object: write(byLabel, { labels: {} }),
    wantText: "Overwritten by an unknown manager",
    wantPointer: "/spec/template/metadata/labels/istio.io~1rev",
  },
  "5.5 a label that another manager sets to a third revision": {
    object: write(byLabel, { labels: { "istio.io/rev": "1-26-0" } }, argo),
    wantText: "ignoreDifferences with that path",
    wantPointer: "/spec/template/metadata/labels/istio.io~1rev",
  },
  "C15: a token that a self-healing tool strips before every pod was restarted": {
    object: write(byToken, { annotations: {} }),
    wantText: "Overwritten",
    wantPointer: "/spec/template/metadata/annotations/meshroll.dev~1restarted-for",
  },
  "5.5 a namespace whose istio-injection returns": {
    object: { ...begun, labels: { ...begun.labels, "istio-injection": "enabled" }, revisionManager: argo },
    wantText: "Overwritten by argocd-controller",
    wantPointer: "/metadata/labels/istio-injection",
  },
  "5.5 a namespace whose revision is put back": {
    object: { ...begun, labels: { "istio.io/rev": old } } satisfies Namespace,
    wantText: "Overwritten",
    wantPointer: "/metadata/labels/istio.io~1rev",
  },
};

const state: Record<string, AnnotatedObject> = {
  "nothing was ever written": makeMeshWorkload(old),
  "our label stands": byLabel,
  "our token stands": byToken,
  "our namespace label is still there": begun,
  "we undid it ourselves": apply(byLabel, planUndo(byLabel, undefined)),
  "we undid and marked it ourselves": apply(
    byLabel,
    planUndo(byLabel, { revision: target, reason: "RevisionMismatch", at: "2026-11-20T10:00:00Z" }),
  ),
  "the token was stripped after every pod had been restarted": {
    ...write(byToken, { annotations: {} }),
    pods: [{ revision: target, count: 3, ready: 3 }],
  },
  "annotations that cannot be read": { ...byLabel, annotations: { "meshroll.dev/run": "?" } },
};

describe("judgeOverwritten", () => {
  it.each(Object.entries(overwritten))("%s", (_, { object, wantText, wantPointer }) => {
    const verdict = judgeOverwritten(object);
    expect(verdict === undefined ? "" : renderWorkloadReason({ code: "Overwritten", ...verdict }).message).toContain(
      wantText,
    );
    expect(verdict?.pointers).toEqual([wantPointer]);
    expect(verdict?.target).toBe(target);
    expect(verdict?.manager).toBe(object.revisionManager?.name);
  });

  it.each(Object.entries(state))("not overwritten by its owner: %s", (_, object) => {
    expect(judgeOverwritten(object)).toBeUndefined();
  });
});
