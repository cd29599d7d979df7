import { describe, expect, it } from "vitest";

import type { ApiManager, ApiMap, ApiObject } from "../../api-types.ts";
import { createInterner } from "../interner.ts";
import { projectVmGroup } from "./project-vm-group.ts";

/** As an API server 1.36 writes it after a merge patch: no subresource, times in seconds. */
function own(manager: string, time: string, ...keys: readonly string[]): ApiManager {
  const fields = Object.fromEntries(keys.map((key) => [`f:${key}`, {}]));
  return {
    manager,
    operation: "Update",
    time,
    fieldsV1: { "f:metadata": { "f:annotations": { ".": {}, ...fields } } },
  };
}

function readGroup(annotations: ApiMap | undefined, managedFields: readonly ApiManager[] = []) {
  const identity = { name: "tills", namespace: "shop", uid: "u1", resourceVersion: "7" };
  const metadata = { ...identity, generation: 3, managedFields, ...(annotations === undefined ? {} : { annotations }) };
  return projectVmGroup({ metadata } satisfies ApiObject, createInterner());
}

const [first, later] = ["2026-11-28T17:03:07Z", "2026-11-28T17:05:00Z"];
const [firstMs, laterMs] = [Date.parse(first), Date.parse(later)];
const revision = "meshroll.dev/revision";
const run = "meshroll.dev/run";

it("an object that lacks what every object has is none", () => {
  expect(projectVmGroup({}, createInterner())).toBeUndefined();
});

it("its spec counts for nothing: a generation is none of a rollout", () => {
  expect(readGroup(undefined)).toEqual({
    facts: {
      namespace: "shop",
      kind: "WorkloadGroup",
      name: "tills",
      uid: "u1",
      resourceVersion: "7",
      generation: 0,
      observedGeneration: 0,
      replicas: 0,
      total: 0,
      updated: 0,
      available: 0,
      deadlineExceeded: false,
      paused: false,
      onDelete: false,
      selectsRevision: false,
      template: { labels: {}, annotations: {}, hostNetwork: false, isVms: true },
      annotations: {},
    },
    templateLabels: {},
    rolloutUnavailable: undefined,
    selectorKeys: [],
    deployedAt: undefined,
  });
});

it("what stands for its template is not among its own annotations", () => {
  const annotations = {
    [revision]: "1-31",
    "meshroll.dev/restarted-for": "1-31#2",
    [run]: "0123456789ab 1-31",
    "sailoperator.io/last-reconcile": "x",
    "kubectl.kubernetes.io/last-applied-configuration": "{}",
  };
  expect(readGroup(annotations)?.facts).toMatchObject({
    template: { labels: { "istio.io/rev": "1-31" }, annotations: { "meshroll.dev/restarted-for": "1-31#2" } },
  });
  expect(readGroup(annotations)?.facts.annotations).toEqual({
    [run]: "0123456789ab 1-31",
    "sailoperator.io/last-reconcile": "x",
  });
});

const asked = { [revision]: "1-31", [run]: "0123456789ab 1-31" };

interface Case {
  readonly managers: readonly ApiManager[];
  readonly want: object;
}

const cases: Readonly<Record<string, Case>> = {
  "ours alone": {
    managers: [own("meshroll", first, revision, run)],
    want: { revisionManager: { name: "meshroll", operation: "Update" }, times: { written: firstMs } },
  },
  "a person took the revision, and the run stayed ours": {
    managers: [own("meshroll", first, run), own("kubectl-annotate", later, revision)],
    want: {
      revisionManager: { name: "kubectl-annotate", operation: "Update" },
      times: { written: firstMs, deployed: laterMs },
    },
  },
  "a person took the run": {
    managers: [own("meshroll", first, revision), own("kubectl-annotate", later, run)],
    want: {
      marksBy: { [run]: "kubectl-annotate" },
      revisionManager: { name: "meshroll", operation: "Update" },
      times: { written: firstMs },
    },
  },
  "another manager's annotations are no deploy, nor is what we only record": {
    managers: [own("meshroll-record", first, "meshroll.dev/arrived"), own("argocd-controller", later, "team")],
    want: {},
  },
};

describe("who wrote the revision and the marks, and when", () => {
  it.each(Object.entries(cases))("%s", (_, { managers, want }) => {
    const { marksBy, revisionManager, times } = readGroup(asked, managers)?.facts ?? {};
    expect(JSON.parse(JSON.stringify({ marksBy, revisionManager, times }))).toEqual(want);
  });
});
