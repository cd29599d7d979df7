import type { Namespace, Workload } from "#libs/fleet";
import { makeControlPlane, makeMeshWorkload, makeNamespace } from "#fakes/fleet";
import { describe, expect, it } from "vitest";

import { type ControlPlane, effectiveRevision } from "./sites/effective-revision.ts";
import { applyChange, hashTemplate, injectLikeIstio } from "./fake.ts";
import { findConflict } from "./sites/find-conflict.ts";
import { findSite } from "./sites/find-site.ts";
import { judgeManaged } from "./judging/judge-managed.ts";
import { judgeRefused } from "./judging/judge-refused.ts";
import type { Planned } from "./writes/object-change.ts";
import { planMove } from "./patches/plan-move.ts";
import { planNamespaceRelabel } from "./patches/plan-namespace-relabel.ts";
import { planUndo } from "./patches/plan-undo.ts";

const old = "1-24-5";
const target = "1-25-2";
const order = { run: "0123456789ab", target, attempt: 1 };

const namespaceRevisions = [undefined, old, target, "prod", "1-99-9"];
const injections = [undefined, "enabled", "disabled"];
const podRevisions = [undefined, old, target, "prod"];
const injects = [undefined, "true", "false"];
const tagSets: readonly Readonly<Record<string, string>>[] = [
  {},
  { prod: old, default: old },
  { prod: target, default: target },
];

interface Combination {
  readonly name: string;
  readonly namespace: Namespace;
  readonly workload: Workload;
  readonly cluster: ControlPlane;
}

function label(key: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [key]: value };
}

function* combine(): Generator<Combination> {
  for (const tags of tagSets) {
    for (const onNamespace of namespaceRevisions) {
      for (const injection of injections) {
        for (const onPod of podRevisions) {
          for (const inject of injects) {
            const namespaceLabels = { ...label("istio.io/rev", onNamespace), ...label("istio-injection", injection) };
            const podLabels = { ...label("istio.io/rev", onPod), ...label("sidecar.istio.io/inject", inject) };
            yield {
              name: JSON.stringify({ namespace: namespaceLabels, pod: podLabels, tags }),
              namespace: makeNamespace({ labels: namespaceLabels }),
              workload: makeMeshWorkload(old, { labels: podLabels }),
              cluster: makeControlPlane([old, target], tags),
            };
          }
        }
      }
    }
  }
}

const combinations = [...combine()];

/** The revisions that Istio injects; empty = no sidecar. */
function predict({ namespace, workload, cluster }: Combination): readonly string[] {
  const { injected, revision } = effectiveRevision(namespace, workload, cluster);
  return injected && revision !== undefined ? [revision] : [];
}

function askIstio({ namespace, workload, cluster }: Combination): readonly string[] {
  return injectLikeIstio(namespace, workload.template, cluster);
}

function apply<T extends Namespace | Workload>(object: T, planned: Planned): T {
  if (planned.kind === "refused") throw new Error(planned.why);
  return planned.kind === "nothing" ? object : applyChange(object, planned.change);
}

/** Completes a move at its site: the owner moves the tag, then the namespace's label moves, then the workload. */
function move(combination: Combination): Combination {
  const { namespace, workload, cluster, name } = combination;
  const site = findSite(namespace, workload, cluster, target);
  if (site.kind === "tag") {
    const moved = { ...cluster, tags: { ...cluster.tags, [site.tag]: target } };
    const restarted = apply(workload, planMove(workload, { ...site, revision: target }, order));
    return { name, namespace, workload: restarted, cluster: moved };
  }
  const relabelled = site.kind === "namespace" ? apply(namespace, planNamespaceRelabel(namespace, order)) : namespace;
  return { name, namespace: relabelled, workload: apply(workload, planMove(workload, site, order)), cluster };
}

function undo(combination: Combination, tags: ControlPlane["tags"]): Combination {
  const failure = { revision: target, reason: "RevisionMismatch", at: "2026-11-20T10:00:00Z" };
  return {
    name: combination.name,
    namespace: apply(combination.namespace, planUndo(combination.namespace, failure)),
    workload: apply(combination.workload, planUndo(combination.workload, failure)),
    cluster: { ...combination.cluster, tags },
  };
}

function hashLabels({ labels }: Namespace): string {
  return hashTemplate({ labels, annotations: {}, hostNetwork: false });
}

function isManaged({ namespace, workload, cluster }: Combination): boolean {
  return judgeManaged({ namespaceManaged: true, namespace, workload, cluster }).managed;
}

function isRefused({ namespace, workload, cluster }: Combination): boolean {
  return judgeRefused(namespace, workload, cluster, target).refused;
}

const movable = combinations.filter((each) => isManaged(each) && !isRefused(each));

describe("label matrix", () => {
  it("has all 540 combinations", () => {
    expect(new Set(combinations.map((each) => each.name)).size).toBe(540);
  });

  it("predicts for each the revision that Istio's selectors inject", () => {
    const wrong = combinations.filter((each) => askIstio(each).join() !== predict(each).join());
    expect(wrong.map((each) => each.name)).toEqual([]);
  });

  it("a pod never has two injectors, so that a prediction is possible", () => {
    expect(combinations.filter((each) => askIstio(each).length > 1)).toEqual([]);
  });

  it("refuses before the run every workload whose labels name different revisions that Istio would each use", () => {
    const contradictory = combinations.filter(({ namespace, workload }) => {
      const onPod = workload.template.labels["istio.io/rev"];
      const onNamespace = namespace.labels["istio.io/rev"];
      const isHeard = onNamespace !== undefined && namespace.labels["istio-injection"] === undefined;
      return isHeard && onPod !== undefined && onPod !== onNamespace;
    });
    expect(contradictory.length).toBeGreaterThan(50);
    expect(contradictory.filter((each) => isManaged(each) && !isRefused(each))).toEqual([]);
    const conflict = (each: Combination) => findConflict(each.namespace, each.workload, each.cluster);
    expect(contradictory.filter((each) => conflict(each) === undefined)).toEqual([]);
  });

  it("refuses nothing else: what Istio injects without contradicting labels can move", () => {
    const clear = combinations.filter(
      (each) =>
        askIstio(each).length === 1 && findConflict(each.namespace, each.workload, each.cluster, target) === undefined,
    );
    expect(clear.length).toBe(50);
    expect(clear.filter((each) => !isManaged(each) || isRefused(each)).map((each) => each.name)).toEqual([]);
  });

  it("after a move Istio injects the target, whichever object has the label", () => {
    expect(movable.length).toBeGreaterThan(50);
    const missed = movable.filter((each) => askIstio(move(each)).join() !== target);
    expect(missed.map((each) => each.name)).toEqual([]);
  });

  it("a move makes no contradiction for which it would be refused midway", () => {
    const broken = movable.filter((each) => isRefused(move(each)) || !isManaged(move(each)));
    expect(broken.map((each) => each.name)).toEqual([]);
  });

  it("4.6 after the undo labels, template and injection are as before", () => {
    const different = movable.filter((each) => {
      const back = undo(move(each), each.cluster.tags);
      return (
        askIstio(back).join() !== askIstio(each).join() ||
        hashTemplate(back.workload.template) !== hashTemplate(each.workload.template) ||
        hashLabels(back.namespace) !== hashLabels(each.namespace)
      );
    });
    expect(different.map((each) => each.name)).toEqual([]);
  });

  it("what Istio never injects never moves: inject false and istio-injection=disabled", () => {
    const never = combinations.filter(
      ({ namespace, workload }) =>
        workload.template.labels["sidecar.istio.io/inject"] === "false" ||
        namespace.labels["istio-injection"] === "disabled",
    );
    expect(never.length).toBe(180 + 180 - 60);
    expect(never.filter((each) => askIstio(each).length > 0 || isManaged(each))).toEqual([]);
  });

  it("what no label of a known revision selects never moves into the mesh", () => {
    const outside = combinations
      .map((each) => ({ ...each, workload: { ...each.workload, pods: [] } }))
      .filter((each) => askIstio(each).length === 0);
    expect(outside.length).toBeGreaterThan(300);
    expect(outside.filter(isManaged)).toEqual([]);
  });
});
