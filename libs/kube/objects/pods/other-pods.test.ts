import { expect, it } from "vitest";

import type { ApiMetadata, ApiObject } from "../../api-types.ts";
import { projectOther } from "../project-pod.ts";
import { countOther, describeOthers, type OtherCell } from "./other-pods.ts";

const injected = { "sidecar.istio.io/status": '{"revision":"1-30"}' };
const owned = (apiVersion: string, kind: string, name: string) => [
  { apiVersion, kind, name, uid: "u", controller: true },
];

function makePod(metadata: Partial<ApiMetadata>, phase = "Running"): ApiObject {
  return { metadata: { namespace: "shop", name: "pod", annotations: injected, ...metadata }, status: { phase } };
}

function tell(pod: ApiObject): string | undefined {
  const other = projectOther(pod);
  if (other === undefined) return undefined;
  const { owner, state, revision } = other;
  return `${owner.apiVersion} ${owner.kind}/${owner.name} ${revision} ${state}`;
}

const hash = { "pod-template-hash": "6b" };
const cases: readonly { readonly name: string; readonly pod: ApiObject; readonly want: string | undefined }[] = [
  { name: "a bare pod", pod: makePod({}), want: "v1 Pod/pod 1-30 live" },
  {
    name: "a Job's",
    pod: makePod({ ownerReferences: owned("batch/v1", "Job", "j") }),
    want: "batch/v1 Job/j 1-30 live",
  },
  { name: "one that is done", pod: makePod({}, "Succeeded"), want: "v1 Pod/pod 1-30 completed" },
  { name: "one that failed", pod: makePod({}, "Failed"), want: "v1 Pod/pod 1-30 failed" },
  {
    name: "an evicted one of a Deployment",
    pod: makePod({ labels: hash, ownerReferences: owned("apps/v1", "ReplicaSet", "web-6b") }, "Failed"),
    want: "apps/v1 Deployment/web 1-30 failed",
  },
  {
    name: "a live one of a Deployment counts there",
    pod: makePod({ labels: hash, ownerReferences: owned("apps/v1", "ReplicaSet", "web-6b") }),
    want: undefined,
  },
  {
    name: "an evicted one of an Argo Rollout",
    pod: makePod(
      {
        labels: { "rollouts-pod-template-hash": "5d" },
        ownerReferences: owned("apps/v1", "ReplicaSet", "roll-5d"),
      },
      "Failed",
    ),
    want: "argoproj.io/v1alpha1 Rollout/roll 1-30 failed",
  },
  {
    name: "another group's StatefulSet",
    pod: makePod({ ownerReferences: owned("apps.kruise.io/v1beta1", "StatefulSet", "db") }),
    want: "apps.kruise.io/v1beta1 StatefulSet/db 1-30 live",
  },
  {
    name: "another group's ReplicaSet with a Deployment's label",
    pod: makePod({ labels: hash, ownerReferences: owned("example.org/v1", "ReplicaSet", "web-6b") }),
    want: "example.org/v1 ReplicaSet/web-6b 1-30 live",
  },
  { name: "one without a sidecar", pod: makePod({ annotations: {} }), want: undefined },
  { name: "one that is terminating", pod: makePod({ deletionTimestamp: "2026-01-05T09:00:00Z" }), want: undefined },
];

it.each(cases)("$name", ({ pod, want }) => expect(tell(pod)).toBe(want));

function count(pods: readonly ApiObject[]): Map<string, OtherCell> {
  const cells = new Map<string, OtherCell>();
  for (const pod of pods) {
    const other = projectOther(pod);
    if (other !== undefined) countOther(cells, other, 1);
  }
  return cells;
}

it("beyond a hundred owners they are summed by kind and revision, live ones are named first, and none is lost", () => {
  const jobs = Array.from({ length: 300 }, (_, index) =>
    makePod({ ownerReferences: owned("batch/v1", "Job", `j-${index}`) }, index < 250 ? "Succeeded" : "Running"),
  );
  const others = describeOthers(count(jobs).values(), []);
  expect(others).toHaveLength(101);
  expect(others.slice(0, 50).every(({ live }) => live === 1)).toBe(true);
  expect(others.at(-1)).toMatchObject({ kind: "Job", live: 0, completed: 200 });
  expect(others.at(-1)).not.toHaveProperty("name");
});

it("with its last pod an owner is removed", () => {
  const cells = count([makePod({})]);
  const other = projectOther(makePod({}));
  if (other !== undefined) countOther(cells, other, -1);
  expect(describeOthers(cells.values(), [])).toEqual([]);
});
