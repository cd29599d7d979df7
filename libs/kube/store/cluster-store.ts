import type { ClusterFacts, ClusterStops, ControlPlanePlace, InjectionProof, Kind, ProxyRefusal } from "#libs/fleet";
import { isInstallationId } from "#libs/input";

import type { ApiObject, PodKind } from "../api-types.ts";
import { createBudgets } from "./budget-collection.ts";
import { type ChangeFeed, createChangeFeed } from "./change-feed.ts";
import { type Collection, combineSinks, createCollection, type Sink } from "./collection.ts";
import { createPods } from "./pod-collections.ts";
import { createInterner } from "../objects/interner.ts";
import type { IstiodReport } from "../objects/mesh/istiod-report.ts";
import {
  createPlaceCheck,
  findTrust,
  type IstiodPod,
  type IstiodTrust,
  listRevisions,
  listTags,
  projectIstiod,
  projectIstiodPod,
  projectWebhook,
} from "../objects/mesh-facts.ts";
import { createNamespaceCells, type NamespaceCells } from "../objects/namespace-cells.ts";
import type { ClusterView } from "../port.ts";
import { projectNamespace } from "../objects/project-namespace.ts";
import { createProxyImages } from "../objects/pods/proxy-images.ts";
import { projectWorkload, type WorkloadRecord } from "../objects/project-workload.ts";
import { projectVmGroup } from "../objects/vms/project-vm-group.ts";
import { createRolloutPods } from "./rollout-pods.ts";
import { createEntries } from "./vms/entry-collection.ts";
import { INSTALLATION, KUBECTL_STOP, RECORDED_STOPS } from "../configmap-names.ts";

export type { IstiodPod, IstiodTrust } from "../objects/mesh-facts.ts";

/** The watched collections, by their name in the API. */
export type Watched =
  | "namespaces"
  | "deployments"
  | "statefulsets"
  | "daemonsets"
  | "rollouts"
  | "pods"
  | "poddisruptionbudgets"
  | "mutatingwebhookconfigurations"
  | "configmaps"
  | "workloadgroups"
  | "workloadentries";

/** All that is kept in memory of one cluster. */
export interface ClusterStore {
  readonly sinks: Readonly<Record<Watched, Sink>>;
  readonly namespaces: ClusterView["namespaces"];
  readonly templateOf: ClusterView["templateOf"];
  readonly entriesOf: ClusterView["entriesOf"];
  readonly feed: ChangeFeed;
  /** The facts that come from the cluster's objects; the caller adds `seenAt` and `serverAt`. */
  facts(): Omit<ReturnType<ClusterView["facts"]>, "cluster" | "seenAt" | "serverAt">;
  /** Records a resourceVersion that a watch reported. */
  observe(resourceVersion: string): void;
  /** Whether we may read a collection. One that we may not read is unknown, not empty. */
  noteReadable(resource: Watched, isReadable: boolean): void;
  /** The API server does not have the collection, or has it no more: nothing is in it. */
  noteAbsent(resource: Watched): void;
  /** Ready pods of one revision's istiod, by name. */
  listIstiodPods(revision: string): readonly IstiodPod[];
  /** How the revision's istiods are known; undefined: no webhook calls one. */
  findTrust(revision: string): IstiodTrust | undefined;
  /** Replaces what the istiods answered, by revision; calls no listener. */
  noteIstiods(reports: ReadonlyMap<string, IstiodReport>): void;
  /** What a pod's proxy refuses, as its istiod said last. */
  readonly findRefusal: (namespace: string, pod: string) => Pick<ProxyRefusal, "type" | "why"> | undefined;
  /** Results of injection dry runs, by revision and tag; undefined: none was tried. */
  noteInjection(proofs: Readonly<Record<string, InjectionProof>>): void;
  /** Records the API server's refusal of our last write to a workload or to a namespace. */
  readonly noteRefusal: NamespaceCells["noteRefusal"];
  readonly noteAdmission: NamespaceCells["noteAdmission"];
  /** Where the control planes run. Reports a change to the feed. */
  locate(place: ControlPlanePlace): void;
}

/** `defer` runs its argument after the current work, so that changes are reported together. */
export function createClusterStore(defer: (flush: () => void) => void): ClusterStore {
  const interner = createInterner();
  const feed = createChangeFeed(defer);
  let latest = "0";
  // Before the first list there may be any budget.
  let areBudgetsKnown = false;
  const images = createProxyImages((revision) => {
    cells.rebuildPodsOf(revision);
    tell();
  });
  const cells = createNamespaceCells(
    () => latest,
    (namespace) => feed.add(namespace),
    (revision) => images.usual(revision),
  );
  /** Facts of the mesh, cached until one of their objects changes: executors read them several times a second. */
  let gathered: MeshFacts | undefined;
  const tell = () => {
    gathered = undefined;
    feed.add(undefined);
  };
  const webhooks = createCollection({ keyOf: keyByName, project: projectWebhook, changed: tell });
  const istiods = createCollection({ keyOf: keyByName, project: projectIstiod, changed: tell });
  const istiodPods = createCollection({ keyOf: keyByName, project: projectIstiodPod, changed: () => undefined });
  let reports: ReadonlyMap<string, IstiodReport> = new Map();
  let proofs: Readonly<Record<string, InjectionProof>> | undefined;
  let place: ControlPlanePlace = {};
  const maps = createCollection({ keyOf: keyByName, project: projectMap, changed: tell });
  const gatherMesh = (): MeshFacts => ({
    revisions: listRevisions([...webhooks.kept.values()], istiods.kept.values(), place).map((each) => {
      const proxyImage = images.usual(each.name);
      const known = proxyImage === undefined ? each : { ...each, proxyImage };
      // Answers of an istiod that is gone do not count for its successor.
      return each.istiod === "ready" ? { ...known, ...reports.get(each.name) } : known;
    }),
    tags: listTags(webhooks.kept.values()),
    ...(proofs === undefined ? {} : { injection: proofs }),
    ...(Object.keys(place).length === 0 ? {} : { controlPlane: place }),
    stops: readStops(maps.kept),
    ...readClaim(maps.kept),
  });
  const workloads = (kind: PodKind) =>
    createWorkloads(kind, (object) => projectWorkload(kind, object, interner), cells);
  const entries = createEntries((namespace) => {
    if (cells.namespaces.has(namespace)) feed.add(namespace);
  }, interner);
  const sinks: ClusterStore["sinks"] = {
    namespaces: createCollection({
      keyOf: keyByName,
      project: (object) => projectNamespace(object, interner),
      changed: (next, before) => {
        const name = (next ?? before)?.name;
        if (name !== undefined) cells.putNamespace(name, next);
        // The number of namespaces and kube-system's UID are facts of the cluster.
        if (next === undefined || before === undefined || name === "kube-system") tell();
      },
    }),
    deployments: combineSinks([workloads("Deployment"), istiods]),
    statefulsets: workloads("StatefulSet"),
    daemonsets: workloads("DaemonSet"),
    rollouts: workloads("Rollout"),
    pods: combineSinks([...createPods(cells, images, interner), createRolloutPods(cells, interner), istiodPods]),
    poddisruptionbudgets: createBudgets(cells),
    mutatingwebhookconfigurations: webhooks,
    configmaps: maps,
    workloadgroups: createWorkloads("WorkloadGroup", (object) => projectVmGroup(object, interner), cells),
    workloadentries: entries,
  };
  return {
    sinks,
    feed,
    namespaces: cells.namespaces,
    templateOf: ({ namespace, kind, name }) => cells.templateOf(namespace, `${kind}/${name}`),
    entriesOf: (namespace) => entries.entriesOf(namespace),
    noteRefusal: (object, refusal) => cells.noteRefusal(object, refusal),
    noteAdmission: (namespace, findAdmitted) => cells.noteAdmission(namespace, findAdmitted),
    observe: (version) => {
      if (isLater(version, latest)) latest = version;
    },
    noteAbsent: (resource) => empty(sinks[resource]),
    noteReadable: (resource, isReadable) => {
      // Without the right to read them the health of VMs is not known.
      if (resource === "workloadentries" && !isReadable) empty(entries);
      if (resource !== "poddisruptionbudgets" || areBudgetsKnown === isReadable) return;
      areBudgetsKnown = isReadable;
      tell();
    },
    listIstiodPods: (revision) => {
      const isPlaced = createPlaceCheck(webhooks.kept.values(), place);
      return [...istiodPods.kept.values()]
        .filter((each) => each.revision === revision && each.ready && isPlaced(each))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    findTrust: (revision) => findTrust(webhooks.kept.values(), revision),
    noteIstiods: (next) => {
      reports = next;
      gathered = undefined;
    },
    findRefusal: (namespace, pod) => {
      const told = [...reports.values()].flatMap(({ proxies }) => proxies?.refusals ?? []);
      const found = told.find(({ proxy }) => proxy === `${pod}.${namespace}`);
      return found === undefined ? undefined : { type: found.type, why: found.why };
    },
    noteInjection: (next) => {
      const isNews = JSON.stringify(next) !== JSON.stringify(proofs);
      proofs = next;
      if (isNews) tell();
    },
    locate: (next) => {
      const isNews = JSON.stringify(next) !== JSON.stringify(place);
      place = next;
      if (isNews) tell();
    },
    facts: () => ({
      ...(areBudgetsKnown ? {} : { budgetsKnown: false as const }),
      count: cells.namespaces.size,
      uid: cells.namespaces.get("kube-system")?.namespace.uid ?? "",
      ...(gathered ??= gatherMesh()),
    }),
  };
}

/** Facts of a cluster that are gathered from its webhooks, istiods and ConfigMaps. */
type MeshFacts = Pick<ClusterFacts, "revisions" | "tags" | "injection" | "controlPlane" | "stops" | "installation">;

/** The data of a ConfigMap of ours. */
type OurMap = Readonly<Record<string, string>>;

function projectMap({ data = {} }: ApiObject): OurMap {
  return data;
}

/**
 * A key `__proto__` is renamed to `proto`, because planners refuse it in messages: the stop that it places can then be named
 * everywhere.
 */
function readEntries(data: OurMap): OurMap {
  if (!Object.hasOwn(data, "__proto__")) return data;
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key === "__proto__" ? "proto" : key, text]));
}

function readStops(maps: ReadonlyMap<string, OurMap>): ClusterStops {
  return { kubectl: maps.has(KUBECTL_STOP), recorded: readEntries(maps.get(RECORDED_STOPS) ?? {}) };
}

/** Empty id where the ConfigMap has no valid one. */
function readClaim(maps: ReadonlyMap<string, OurMap>): Pick<ClusterFacts, "installation"> {
  const map = maps.get(INSTALLATION);
  if (map === undefined) return {};
  const id = map["id"] ?? "";
  return { installation: isInstallationId(id) ? id : "" };
}

function empty(sink: Sink): void {
  sink.beginList();
  sink.endList();
}

function createWorkloads(
  kind: Kind,
  project: (object: ApiObject) => WorkloadRecord | undefined,
  cells: NamespaceCells,
): Collection<WorkloadRecord> {
  return createCollection({
    keyOf: keyByNamespace,
    project,
    changed: (next, before) => {
      const facts = (next ?? before)?.facts;
      if (facts === undefined) return;
      const cell = cells.reach(facts.namespace, `${kind}/${facts.name}`);
      // A workload that was created again under the name has had no write refused.
      if (next?.facts.uid !== before?.facts.uid) cell.refused = undefined;
      cell.record = next;
      cells.touch(cell);
    },
  });
}

function keyByName({ metadata }: ApiObject): string {
  return metadata?.name ?? "";
}

function keyByNamespace({ metadata }: ApiObject): string {
  return `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`;
}

/** @internal Whether resourceVersion `a` is later than `b`. They are decimal and may exceed 2^53. */
export function isLater(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}
