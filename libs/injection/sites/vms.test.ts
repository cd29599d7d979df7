import { makeControlPlane, makeNamespace, makeWorkload } from "#fakes/fleet";
import { describe, expect, test } from "vitest";

import { judgeManaged } from "../judging/judge-managed.ts";
import { effectiveRevision } from "./effective-revision.ts";
import { findConflict } from "./find-conflict.ts";
import { findSite } from "./find-site.ts";

const cluster = makeControlPlane(["1-24", "1-25"], { stable: "1-25" });

function makeGroup(revision: string | undefined) {
  const workload = makeWorkload({
    kind: "WorkloadGroup",
    pods: revision === undefined ? [] : [{ revision, count: 3, ready: 3 }],
    ...(revision === undefined ? {} : { labels: { "istio.io/rev": revision } }),
  });
  return { ...workload, template: { ...workload.template, isVms: true as const } };
}

describe("no label of its namespace decides about a group of VMs", () => {
  const namespaces = {
    "istio-injection=enabled": makeNamespace({ labels: { "istio-injection": "enabled" } }),
    "istio-injection=disabled": makeNamespace({ labels: { "istio-injection": "disabled" } }),
    "another istio.io/rev": makeNamespace({ labels: { "istio.io/rev": "1-25" } }),
    "meshroll.dev/inject=enabled": makeNamespace({ labels: { "meshroll.dev/inject": "enabled" } }),
    none: makeNamespace(),
  };
  test.each(Object.entries(namespaces))("%s", (_, namespace) => {
    const workload = makeGroup("1-24");
    expect(effectiveRevision(namespace, workload, cluster).revision).toBe("1-24");
    expect(findSite(namespace, workload, cluster, "1-25")).toEqual({ kind: "template", label: "istio.io/rev" });
    expect(findConflict(namespace, workload, cluster, "1-25")).toBeUndefined();
    expect(judgeManaged({ namespaceManaged: true, namespace, workload, cluster })).toEqual({ managed: true });
  });
});

test("a group that asks for nothing and whose VMs say nothing is not in the mesh, and has no site", () => {
  const [namespace, workload] = [makeNamespace({ labels: { "meshroll.dev/inject": "enabled" } }), makeGroup(undefined)];
  expect(findSite(namespace, workload, cluster).kind).toBe("none");
  expect(judgeManaged({ namespaceManaged: true, namespace, workload, cluster })).toEqual({
    managed: false,
    reason: { code: "NotInMesh" },
  });
});

test("a group that asks for a tag of Istio's runs the revision that the tag points to", () => {
  const workload = makeGroup("stable");
  expect(effectiveRevision(makeNamespace(), workload, cluster)).toMatchObject({ revision: "1-25", viaTag: "stable" });
});
