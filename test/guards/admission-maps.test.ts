import { describe, expect, it } from "vitest";

import { type Case, type Change, play, type Tree } from "./admission-engine.ts";

const map: Tree = {
  metadata: { name: "meshroll-admission", namespace: "shop" },
  data: { revision: "1-25-2", "Deployment.web": "5d9f7c6b8", "StatefulSet.db": "db-85fd66bf59" },
};
const inOwn = (name: string): Tree => ({ metadata: { name, namespace: "meshroll-system" }, data: { one: "{}" } });

const marked: Tree = { ...map, metadata: { ...(map["metadata"] as Tree), labels: { team: "shop" } } };
const finalizer: Change = [["metadata", "finalizers"], ["x/y"]];

const event: Tree = {
  metadata: {
    name: "web.0123",
    namespace: "shop",
    uid: "u",
    creationTimestamp: "2026-11-26T12:00:00Z",
    managedFields: [],
  },
  reportingController: "meshroll.dev/executor",
  regarding: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" },
};

const ofEvents: readonly Case[] = [
  { name: "what a run did with a workload", changes: [] },
  { name: "what a run did with a group of VMs", changes: [[["regarding", "kind"], "WorkloadGroup"]] },
  { name: "any Event, by another user", user: "kubernetes-admin", changes: [finalizer] },
  {
    name: "a finalizer, which would hold its namespace",
    changes: [finalizer],
    denied: "no metadata of an Event that holds",
  },
  {
    name: "an owner reference",
    changes: [[["metadata", "ownerReferences"], [{}]]],
    denied: "no metadata of an Event that holds",
  },
  {
    name: "an Event in the name of another controller",
    changes: [[["reportingController"], "kubelet"]],
    denied: "in its own name",
  },
  { name: "an Event about a Secret", changes: [[["regarding", "kind"], "Secret"]], denied: "about workloads" },
];

const ofMaps: readonly Case[] = [
  { name: "what says which new pods get which revision", changes: [] },
  { name: "the same, emptied", changes: [[["data"], undefined]] },
  { name: "the revision of pods without a label", changes: [[["data", "unlabelled"], "1-24-5"]] },
  { name: "its own two maps: stops", of: inOwn("meshroll-recorded-stops"), changes: [] },
  { name: "its own two maps: the installation", of: inOwn("meshroll-installation"), changes: [] },
  { name: "any map, by another user", user: "kubernetes-admin", changes: [[["metadata", "name"], "other"]] },
  {
    name: "another map of its own namespace",
    of: inOwn("meshroll-stop"),
    changes: [],
    denied: "no ConfigMap but its own",
  },
  {
    name: "another map of an owner's namespace",
    changes: [[["metadata", "name"], "app-config"]],
    denied: "no ConfigMap but its own",
  },
  { name: "a key of an application", changes: [[["data", "app.conf"], "x"]], denied: "revisions, and the hashes" },
  {
    name: "a value that is no hash",
    changes: [[["data", "Deployment.web"], "a b"]],
    denied: "revisions, and the hashes",
  },
  ...["revision", "unlabelled"].map((key) => ({
    name: `${key}: a revision that is no label`,
    changes: [[["data", key], "-a"]] as const,
    denied: "revisions, and the hashes",
  })),
  {
    name: "what the server sets itself",
    changes: [
      [["metadata", "uid"], "u"],
      [["metadata", "managedFields"], [{}]],
    ],
  },
  {
    name: "a map that stays as its owner marked it",
    of: marked,
    changes: [[["data", "revision"], "1-30"]],
    old: marked,
  },
  ...["meshroll-admission", "meshroll-recorded-stops"].flatMap((name): readonly Case[] => {
    const of = name === "meshroll-admission" ? map : inOwn(name);
    const denied = "no metadata of a ConfigMap that holds";
    return [
      { name: `${name} made with a finalizer, which would hold its namespace`, of, changes: [finalizer], denied },
      { name: `${name} given a finalizer`, of, old: of, changes: [finalizer], denied },
      { name: `${name} with an owner reference`, of, changes: [[["metadata", "ownerReferences"], [{}]]], denied },
    ];
  }),
  {
    name: "a label, as a webhook may put on every object",
    changes: [[["metadata", "labels"], { team: "shop" }]],
  },
  {
    name: "a map that no one can change any more",
    changes: [[["immutable"], true]],
    denied: "revisions, and the hashes",
  },
  { name: "bytes", changes: [[["binaryData"], { a: "AA==" }]], denied: "revisions, and the hashes" },
];

describe("the shipped policy for ConfigMaps", () => {
  it.each(ofMaps)("$name", (each) => {
    expect(play("meshroll-executor-maps", map, { old: null, ...each })).toContain(each.denied ?? "admitted");
  });
});

describe("the shipped policy for Events", () => {
  it.each(ofEvents)("$name", (each) => {
    expect(play("meshroll-executor-events", event, { old: null, ...each })).toContain(each.denied ?? "admitted");
  });
});
