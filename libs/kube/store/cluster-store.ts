import type { ClusterFacts, ClusterStops, ControlPlanePlace, InjectionProof, Kind } from "#libs/fleet";
import { isInstallationId } from "#libs/input";

import type { ApiObject } from "../api-types.ts";
import { createBudgets } from "./budget-collection.ts";
import { type ChangeFeed, createChangeFeed } from "./change-feed.ts";
import { type Collection, combineSinks, createCollection, type Sink } from "./collection.ts";
import { createPods } from "./pod-collections.ts";
import { createInterner, type Interner } from "../objects/interner.ts";
import type { IstiodReport } from "../objects/istiod-report.ts";
import {
  createPlaceCheck,
  type IstiodPod,
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
import { createRolloutPods } from "./rollout-pods.ts";
import { INSTALLATION, KUBECTL_STOP, RECORDED_STOPS } from "../configmap-names.ts";

export type { IstiodPod } from "../objects/mesh-facts.ts";

/** The watched collections, by their name in the API. */
export type Watched =
  | "namespaces"
  | "deployments"
  | "statefulsets"
  | "daemonsets"
  | "pods"
  | "poddisruptionbudgets"
  | "mutatingwebhookconfigurations"
  | "configmaps";

/** All that is kept of one cluster. */
export interface ClusterStore {
  readonly sinks: Readonly<Record<Watched, Sink>>;
  readonly namespaces: ClusterView["namespaces"];
  readonly templateOf: ClusterView["templateOf"];
  readonly feed: ChangeFeed;
  /** The cluster's part of its facts; `seenAt` and `serverAt` are the caller's. */
  facts(): Omit<ReturnType<ClusterView["facts"]>, "cluster" | "seenAt" | "serverAt">;
  /** A resourceVersion that a watch named. */
  observe(resourceVersion: string): void;
  /** Whether we may read a collection: what we may not read is not empty but unknown. */
  noteReadable(resource: Watched, isReadable: boolean): void;
  /** Ready pods of one revision's istiod, by name. */
  listIstiodPods(revision: string): readonly IstiodPod[];
  /** What the istiods said, by revision, instead of what they said before; no listener is called. */
  noteIstiods(reports: ReadonlyMap<string, IstiodReport>): void;
  /** What dry runs showed, by revision and tag; undefined: none is tried. */
  noteInjection(proofs: Readonly<Record<string, InjectionProof>>): void;
  /** What the API server refused of our last write to a workload, or to the namespace of that name. */
  readonly noteRefusal: NamespaceCells["noteRefusal"];
  /** Where the control planes run. Tells the feed when it is another place. */
  locate(place: ControlPlanePlace): void;
}

/** `defer` runs its argument once the current work is done: changes are reported together. */
export function createClusterStore(defer: (flush: () => void) => void): ClusterStore {
  const interner = createInterner();
  const feed = createChangeFeed(defer);
  let latest = "0";
  // Until they were listed there may be any.
  let areBudgetsKnown = false;
  const images = createProxyImages((revision) => {
    cells.retell(revision);
    tell();
  });
  const cells = createNamespaceCells(
    () => latest,
    (namespace) => feed.add(namespace),
    (revision) => images.usual(revision),
  );
  /** What was gathered of the mesh, until something in it changes: executors ask several times a second. */
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
      // What an istiod said that is not there any more says nothing about the next one.
      return each.istiod === "ready" ? { ...known, ...reports.get(each.name) } : known;
    }),
    tags: listTags(webhooks.kept.values()),
    ...(proofs === undefined ? {} : { injection: proofs }),
    ...(Object.keys(place).length === 0 ? {} : { controlPlane: place }),
    stops: readStops(maps.kept),
    ...readClaim(maps.kept),
  });
  const workloads = (kind: Kind) => createWorkloads(kind, cells, interner);
  const sinks: ClusterStore["sinks"] = {
    namespaces: createCollection({
      keyOf: keyByName,
      project: (object) => projectNamespace(object, interner),
      changed: (next, before) => {
        const name = (next ?? before)?.name;
        if (name !== undefined) cells.putNamespace(name, next);
        // Their number and kube-system's UID are the cluster's facts.
        if (next === undefined || before === undefined || name === "kube-system") tell();
      },
    }),
    deployments: combineSinks([workloads("Deployment"), istiods]),
    statefulsets: workloads("StatefulSet"),
    daemonsets: workloads("DaemonSet"),
    pods: combineSinks([...createPods(cells, images, interner), createRolloutPods(cells, interner), istiodPods]),
    poddisruptionbudgets: createBudgets(cells),
    mutatingwebhookconfigurations: webhooks,
    configmaps: maps,
  };
  return {
    sinks,
    feed,
    namespaces: cells.namespaces,
    templateOf: ({ namespace, kind, name }) => cells.templateOf(namespace, `${kind}/${name}`),
    noteRefusal: (object, refusal) => cells.noteRefusal(object, refusal),
    observe: (version) => {
      if (isLater(version, latest)) latest = version;
    },
    noteReadable: (resource, isReadable) => {
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
    noteIstiods: (next) => {
      reports = next;
      gathered = undefined;
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
 * An entry may have the key `__proto__`, which no planner reads from a message: it is known as `proto`, so that the stop that it
 * places here has a name everywhere.
 */
function readEntries(data: OurMap): OurMap {
  if (!Object.hasOwn(data, "__proto__")) return data;
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key === "__proto__" ? "proto" : key, text]));
}

function readStops(maps: ReadonlyMap<string, OurMap>): ClusterStops {
  return { kubectl: maps.has(KUBECTL_STOP), recorded: readEntries(maps.get(RECORDED_STOPS) ?? {}) };
}

/** A map without a valid id names no installation: it is not ours. */
function readClaim(maps: ReadonlyMap<string, OurMap>): Pick<ClusterFacts, "installation"> {
  const map = maps.get(INSTALLATION);
  if (map === undefined) return {};
  const id = map["id"] ?? "";
  return { installation: isInstallationId(id) ? id : "" };
}

function createWorkloads(kind: Kind, cells: NamespaceCells, interner: Interner): Collection<WorkloadRecord> {
  return createCollection({
    keyOf: keyByNamespace,
    project: (object) => projectWorkload(kind, object, interner),
    changed: (next, before) => {
      const facts = (next ?? before)?.facts;
      if (facts === undefined) return;
      const cell = cells.reach(facts.namespace, `${kind}/${facts.name}`);
      // What is made again under the name was refused nothing.
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

/** @internal Is `a` the later of two resourceVersions of one cluster? They are decimal and may exceed 2^53. */
export function isLater(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}
