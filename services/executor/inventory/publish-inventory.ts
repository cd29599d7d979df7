import { BusUnavailable, type KeyValue } from "#libs/bus";
import {
  inventoryLimitBytes,
  nameClusterKey,
  nameNamespaceKey,
  printNamespaceInventory,
  readInventoryKey,
  readNamespaceInventory,
} from "#libs/events";
import type { ClusterFacts, NamespaceInventory } from "#libs/fleet";
import type { Cluster } from "#libs/kube";
import { cleanText, type Clock, doEach, type Logger } from "#libs/runtime";

import { boundStops, cleanProblems, mostEntries } from "./bound-facts.ts";
import { fitFacts } from "./fit-facts.ts";
import { publishStartProblems } from "./publish-start-problems.ts";
import type { Troubles } from "../messages/troubles.ts";

/**
 * Why a namespace cannot be published; undefined when it can. Its owner chooses its texts, and a bad one must not stop the
 * whole cluster.
 */
function findFault(name: string, { workloads }: NamespaceInventory, text: string): string | undefined {
  if (Buffer.byteLength(text) > inventoryLimitBytes)
    return `namespace ${name} has ${workloads.length} workloads: too many to publish, it is not moved`;
  if (readNamespaceInventory(name, text) !== undefined) return undefined;
  return `namespace ${name} has a name or a text that no planner reads: it is not moved; kubectl get deploy,sts,ds,pod -n ${name} -o yaml`;
}

/** The first `mostEntries` faults, and how many more there are. */
function listFaults(faulty: ReadonlyMap<string, string>): readonly string[] {
  const shown = [...faulty.values()].slice(0, mostEntries);
  return faulty.size > shown.length ? [...shown, `${faulty.size - shown.length} more namespaces are not moved`] : shown;
}

function countFaults(faulty: ReadonlyMap<string, string>): Pick<ClusterFacts, "unpublished"> {
  return faulty.size === 0 ? {} : { unpublished: faulty.size };
}

/** Changes are collected for this time before they are published, real ms. */
const debounceMs = 500;
/**
 * A quiet cluster is published again after this time, real ms, once its API server has answered a cheap request (rules 9.1).
 */
const heartbeatMs = 20_000;
/** How often the presence of the keys is checked, real ms: a purge of the stream sends no watch event. */
const checkEveryMs = 60_000;

export interface Publisher {
  /**
   * Notes a change of a namespace, or with undefined of the cluster's facts. A stop that was placed or removed is published at
   * once.
   */
  note(namespace: string | undefined): void;
  /** Publishes the changes now: the planner waits for the state at the end of a batch. */
  flush(): Promise<void>;
  /** Publishes why the cluster cannot be watched, once for each list of problems, until the signal aborts. */
  publishStartProblems(signal: AbortSignal): Promise<void>;
  /** Publishes until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

interface PublisherParts {
  readonly cluster: Cluster;
  readonly mode: "observe" | "act";
  readonly inventory: KeyValue;
  /** What the executor could not do, published with the cluster until it is done. */
  readonly troubles: Pick<Troubles, "list">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether it is known what the admission maps give new pods; absent = it always is. */
  readonly areMapsRead?: () => boolean;
}

/** Publishes one cluster to KV `inventory`: a key for each namespace, and the cluster's facts, which are also the heartbeat. */
export function createPublisher(parts: PublisherParts): Publisher {
  const { cluster, mode, inventory, troubles, clock, log, areMapsRead = () => true } = parts;
  const dirty = new Set<string>();
  /** Namespaces that cannot be published, with the reason. */
  const faulty = new Map<string, string>();
  const published = new Set<string>();
  /**
   * Namespaces whose key was not accepted by the bus, or has a value that planners cannot read: written again at the next
   * heartbeat.
   */
  const toRewrite = new Set<string>();
  let isClusterDirty = true;
  /** Every namespace was published since the start or the last wipe of the bucket. */
  let isComplete = false;
  /** The stops as they were published last, as JSON. */
  let publishedStops = "";
  let lastHeartbeat = Number.NEGATIVE_INFINITY;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  async function publishNamespace(name: string): Promise<void> {
    const value = cluster.view.namespaces.get(name);
    const key = nameNamespaceKey(cluster.name, name);
    const text = value === undefined ? undefined : printNamespaceInventory(value);
    const fault = value === undefined || text === undefined ? undefined : findFault(name, value, text);
    if (fault === undefined) faulty.delete(name);
    else faulty.set(name, fault);
    if (text === undefined || fault !== undefined) {
      if (published.has(name)) await inventory.delete(key);
      // After the delete: when that fails it is tried again, because a left key makes the cluster incomplete for planners.
      published.delete(name);
      return;
    }
    await inventory.put(key, text);
    published.add(name);
  }

  /**
   * How many keys exist once everything is published. Counts the namespaces of the cluster too, because a wipe clears
   * `published`.
   */
  function countKeys(): number {
    const names = new Set([...cluster.view.namespaces.keys(), ...published]);
    return names.size - [...faulty.keys()].filter((name) => names.has(name) && !published.has(name)).length;
  }

  async function publishCluster(): Promise<void> {
    const facts = cluster.view.facts();
    const { stops, left } = boundStops(facts.stops);
    const unshown = left === 0 ? [] : [`${left} more entries of meshroll-recorded-stops hold here than are shown`];
    const unread = areMapsRead() ? {} : { mapsUnread: true as const };
    const found = [...unshown, ...listFaults(faulty), ...cluster.problems(), ...troubles.list()];
    const problems = cleanProblems(found);
    // The number of keys that must exist, not of those written so far: after a wipe a part of the cluster must never pass
    // for all of it. Namespaces that cannot be published are left out, or the cluster would be stale for ever.
    await inventory.put(
      nameClusterKey(cluster.name),
      fitFacts({ ...facts, stops, count: countKeys(), ...countFaults(faulty), ...unread, mode, problems }),
    );
    lastHeartbeat = clock.monotonic();
    publishedStops = JSON.stringify(facts.stops);
  }

  /**
   * Whether a stop was placed or removed since the last publication: the verb that placed it waits until it is shown (rules
   * 7.3, 7.4).
   */
  function hasUnpublishedStops(): boolean {
    return isComplete && JSON.stringify(cluster.view.facts().stops) !== publishedStops;
  }

  /** The namespaces to publish; undefined when nothing is due, not even a heartbeat. */
  function listDue(): readonly string[] | undefined {
    const isBeat = clock.monotonic() - lastHeartbeat >= heartbeatMs;
    if (isBeat) for (const name of toRewrite) dirty.add(name);
    return isClusterDirty || dirty.size > 0 || isBeat ? [...dirty] : undefined;
  }

  /**
   * Marks the namespaces whose keys were deleted. Asks for all names at once: writing thousands of keys again each minute would
   * cost too much.
   */
  async function findDeletedKeys(): Promise<void> {
    if (clock.monotonic() - checkedAt < checkEveryMs) return;
    checkedAt = clock.monotonic();
    try {
      const there = await inventory.keys(nameNamespaceKey(cluster.name, "*"));
      for (const name of published) if (!there.has(nameNamespaceKey(cluster.name, name))) dirty.add(name);
    } catch (error) {
      log.warn({ error, cluster: cluster.name }, "could not check whether the inventory is still there");
    }
  }

  async function writeChanges(): Promise<void> {
    const names = listDue();
    if (names === undefined) return;
    dirty.clear();
    isClusterDirty = false;
    try {
      // Before the namespaces, which may be thousands.
      if (hasUnpublishedStops()) await publishCluster();
      await doEach(names, publishNamespace, {
        onFault: (name, error) => {
          log.warn({ error, cluster: cluster.name, namespace: name }, "could not publish a namespace");
          faulty.set(name, `namespace ${name} cannot be published, it is not moved: ${cleanText(String(error), 300)}`);
          toRewrite.add(name);
        },
        isDown: (error) => error instanceof BusUnavailable,
      });
      if (names.length === 0 && !(await cluster.probe())) throw new Error("the API server does not answer");
      await publishCluster();
      isComplete = true;
    } catch (error) {
      // What was not published stays dirty, and planners see the cluster's age grow.
      for (const name of names) dirty.add(name);
      isClusterDirty = true;
      log.warn({ error, cluster: cluster.name }, "could not publish the inventory");
    }
  }

  /** Writes one after the other, so that an older value of a namespace never replaces a newer one. */
  async function flush(): Promise<void> {
    writing = writing.then(findDeletedKeys).then(writeChanges);
    return writing;
  }

  function publishEverything(): void {
    for (const name of cluster.view.namespaces.keys()) dirty.add(name);
    isClusterDirty = true;
  }

  function noteKey(name: string, value: string | undefined): void {
    const isThere = cluster.view.namespaces.has(name);
    if (value !== undefined) published.add(name);
    // Deleted by another login, or left of a deleted namespace: without this it would stay wrong until the namespace
    // changes.
    if (isThere === (value === undefined)) dirty.add(name);
    if (isThere && value !== undefined && readNamespaceInventory(name, value) === undefined) toRewrite.add(name);
    else toRewrite.delete(name);
  }

  /**
   * Watches its own keys: a deleted key is written again, a wiped bucket is filled again, and keys of deleted namespaces are
   * removed.
   */
  async function followOwnKeys(signal: AbortSignal): Promise<void> {
    const watcher = {
      onEntry({ key, value }: { readonly key: string; readonly value?: string }) {
        const read = readInventoryKey(key);
        if (read?.namespace !== undefined) noteKey(read.namespace, value);
        else if (read !== undefined && value === undefined) isClusterDirty = true;
      },
      onReady: () => {},
      onReset: () => {
        published.clear();
        isComplete = false;
        publishEverything();
      },
    };
    await inventory.watch(`${cluster.name}.*`, watcher, signal);
  }

  return {
    note(namespace) {
      if (namespace !== undefined) {
        dirty.add(namespace);
        return;
      }
      isClusterDirty = true;
      if (hasUnpublishedStops()) void flush();
    },
    flush,
    publishStartProblems: async (signal) => publishStartProblems({ cluster, mode, inventory, clock, log }, signal),
    async run(signal) {
      publishEverything();
      await followOwnKeys(signal);
      while (!signal.aborted) {
        await flush();
        await clock.sleepReal(debounceMs, signal).catch(() => undefined);
      }
    },
  };
}
