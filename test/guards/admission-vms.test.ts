import { describe, expect, it } from "vitest";

import { type Case, play, type Tree } from "./admission-engine.ts";

const group: Tree = {
  metadata: {
    name: "tills",
    namespace: "shop",
    uid: "u",
    resourceVersion: "7",
    generation: 1,
    labels: { app: "tills" },
    annotations: { "example.com/team": "shop", "meshroll.dev/run": "0123456789ab 1-30" },
  },
  spec: { metadata: { labels: { app: "tills" } }, template: { serviceAccount: "tills" } },
};
const bare: Tree = { metadata: { name: "tills", namespace: "shop" } };

const note = (key: string, value: unknown) => [["metadata", "annotations", key], value] as const;
const owner = "no annotation of a WorkloadGroup but";
const metadata = "no metadata of a WorkloadGroup but";
const spec = "nothing in the spec or the status";

const cases: readonly Case[] = [
  {
    name: "a move",
    changes: [
      note("meshroll.dev/revision", "1-31"),
      note("meshroll.dev/run", "0123456789ab 1-31"),
      note("meshroll.dev/previous", "{}"),
      [["metadata", "managedFields"], [{}]],
      [["metadata", "resourceVersion"], "8"],
    ],
  },
  { name: "a move of one that has neither annotations nor a spec", of: bare, changes: [note("meshroll.dev/run", "a")] },
  {
    name: "an undo, a failure, an arrival, a restart",
    changes: [
      note("meshroll.dev/run", undefined),
      note("meshroll.dev/failed", "a"),
      note("meshroll.dev/arrived", "a"),
      note("meshroll.dev/restarted-for", "1-31#2"),
    ],
  },
  { name: "anything, by another user", user: "kubernetes-admin", changes: [[["spec", "template"], {}]] },
  { name: "an annotation of the owner", changes: [note("example.com/team", "other")], denied: owner },
  { name: "an annotation of the owner that is gone", changes: [note("example.com/team", undefined)], denied: owner },
  { name: "a new annotation of another", changes: [note("sidecar.istio.io/inject", "true")], denied: owner },
  { name: "an opt-out, which is the owner's", changes: [note("meshroll.dev/opt-out", "no")], denied: owner },
  {
    name: "the label that hides it from other istiods",
    changes: [[["metadata", "labels", "istio.io/rev"], "1-31"]],
    denied: metadata,
  },
  { name: "a finalizer", changes: [[["metadata", "finalizers"], ["x/y"]]], denied: metadata },
  { name: "its labels gone", changes: [[["metadata", "labels"], undefined]], denied: metadata },
  { name: "the account of its VMs", changes: [[["spec", "template", "serviceAccount"], "admin"]], denied: spec },
  { name: "its spec gone", changes: [[["spec"], undefined]], denied: spec },
  { name: "a spec where there was none", of: bare, changes: [[["spec"], {}]], denied: spec },
  { name: "a status", changes: [[["status"], { conditions: [] }]], denied: spec },
];

describe("the shipped policy for groups of VMs", () => {
  it.each(cases)("$name", (each) => {
    expect(play("meshroll-executor-vms", group, each)).toContain(each.denied ?? "admitted");
  });
});
