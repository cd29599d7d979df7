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
import { tellWhyUnseen } from "./tell-unseen.ts";
import type { Troubles } from "../messages/troubles.ts";

/** Why a namespace is not published; undefined when it is. Its owner chooses its texts: they must not cost the whole cluster. */
function findFault(name: string, { workloads }: NamespaceInventory, text: string): string | undefined {
  if (Buffer.byteLength(text) > inventoryLimitBytes)
    return `namespace ${name} has ${workloads.length} workloads: too many to publish, it is not moved`;
  if (readNamespaceInventory(name, text) !== undefined) return undefined;
  return `namespace ${name} has a name or a text that no planner reads: it is not moved; kubectl get deploy,sts,ds,pod -n ${name} -o yaml`;
}

/** As many as fit into the value that shows them. */
function listFaults(faulty: ReadonlyMap<string, string>): readonly string[] {
  const shown = [...faulty.values()].slice(0, mostEntries);
  return faulty.size > shown.length ? [...shown, `${faulty.size - shown.length} more namespaces are not moved`] : shown;
}

function countFaults(faulty: ReadonlyMap<string, string>): Pick<ClusterFacts, "unpublished"> {
  return faulty.size === 0 ? {} : { unpublished: faulty.size };
}

/** Changes are gathered for so long before they are published, real ms. */
const debounceMs = 500;
/** A quiet cluster is published again so often, after it was asked something cheap (rules 9.1). */
const heartbeatMs = 20_000;
/** So often it looks whether its keys are there, real ms: of one that a purge took no watch tells. */
const lookEveryMs = 60_000;

export interface Publisher {
  /** A namespace changed; undefined: the cluster's own facts did. A stop that came or went is published at once. */
  note(namespace: string | undefined): void;
  /** Publishes what changed at once: the planner waits for the end of a batch. */
  flush(): Promise<void>;
  /** Tells what keeps the cluster from being looked at, once for each list of problems, until the signal aborts. */
  tellWhyUnseen(signal: AbortSignal): Promise<void>;
  /** Publishes until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

interface PublisherParts {
  readonly cluster: Cluster;
  readonly mode: "observe" | "act";
  readonly inventory: KeyValue;
  /** What the executor could not do: shown with the cluster until it is done. */
  readonly troubles: Pick<Troubles, "list">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Publishes what one cluster runs into KV `inventory`, key by key, and its heartbeat. */
export function createPublisher(parts: PublisherParts): Publisher {
  const { cluster, mode, inventory, troubles, clock, log } = parts;
  const dirty = new Set<string>();
  /** Namespaces that cannot be published, and why. */
  const faulty = new Map<string, string>();
  const published = new Set<string>();
  /** Namespaces whose key has what no planner reads, by another writer, or was not taken: written at the next heartbeat. */
  const spoilt = new Set<string>();
  let isClusterDirty = true;
  /** Every namespace has been published since the start or the last wipe: only then `count` tells the truth. */
  let isWhole = false;
  /** The stops that were published last. */
  let shownStops = "";
  let lastHeartbeat = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
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
      // Only now: a key that could not be deleted is tried again, else it would make the cluster incomplete for ever.
      published.delete(name);
      return;
    }
    await inventory.put(key, text);
    published.add(name);
  }

  /** Keys that stand when all is published: `published` may have been forgotten by a wipe in the middle of a round. */
  function countKeys(): number {
    const names = new Set([...cluster.view.namespaces.keys(), ...published]);
    return names.size - [...faulty.keys()].filter((name) => names.has(name) && !published.has(name)).length;
  }

  async function publishCluster(): Promise<void> {
    const facts = cluster.view.facts();
    const { stops, left } = boundStops(facts.stops);
    const unshown = left === 0 ? [] : [`${left} more entries of meshroll-recorded-stops hold here than are shown`];
    const found = [...unshown, ...listFaults(faulty), ...cluster.problems(), ...troubles.list()];
    const problems = cleanProblems(found);
    // What must be there, not what was written so far: after a wipe a part of the cluster must never look like all of it.
    // A namespace that cannot be published does not count: it must not make its cluster stale for ever.
    await inventory.put(
      nameClusterKey(cluster.name),
      fitFacts({ ...facts, stops, count: countKeys(), ...countFaults(faulty), mode, problems }),
    );
    lastHeartbeat = clock.monotonic();
    shownStops = JSON.stringify(facts.stops);
  }

  /** The caller that placed a stop waits for it to be shown here (rules 7.3, 7.4). */
  function isStopUnshown(): boolean {
    return isWhole && JSON.stringify(cluster.view.facts().stops) !== shownStops;
  }

  /** Namespaces that are due; undefined where nothing is, not even a heartbeat. */
  function listDue(): readonly string[] | undefined {
    const isBeat = clock.monotonic() - lastHeartbeat >= heartbeatMs;
    if (isBeat) for (const name of spoilt) dirty.add(name);
    return isClusterDirty || dirty.size > 0 || isBeat ? [...dirty] : undefined;
  }

  /** Keys that are thousands are not written again each minute, as others are: their names are asked for, in one question. */
  async function lookForLost(): Promise<void> {
    if (clock.monotonic() - lookedAt < lookEveryMs) return;
    lookedAt = clock.monotonic();
    try {
      const there = await inventory.keys(nameNamespaceKey(cluster.name, "*"));
      for (const name of published) if (!there.has(nameNamespaceKey(cluster.name, name))) dirty.add(name);
    } catch (error) {
      log.warn({ error, cluster: cluster.name }, "could not look whether the inventory is still there");
    }
  }

  async function writeChanges(): Promise<void> {
    const names = listDue();
    if (names === undefined) return;
    dirty.clear();
    isClusterDirty = false;
    try {
      // Ahead of the namespaces, which may be thousands.
      if (isStopUnshown()) await publishCluster();
      await doEach(names, publishNamespace, {
        onFault: (name, error) => {
          log.warn({ error, cluster: cluster.name, namespace: name }, "could not publish a namespace");
          faulty.set(name, `namespace ${name} cannot be published, it is not moved: ${cleanText(String(error), 300)}`);
          spoilt.add(name);
        },
        isDown: (error) => error instanceof BusUnavailable,
      });
      if (names.length === 0 && !(await cluster.probe())) throw new Error("the API server does not answer");
      await publishCluster();
      isWhole = true;
    } catch (error) {
      // Nothing is lost: what could not be published stays dirty, and the planner sees the cluster grow old.
      for (const name of names) dirty.add(name);
      isClusterDirty = true;
      log.warn({ error, cluster: cluster.name }, "could not publish the inventory");
    }
  }

  /** One writer at a time, so that a namespace's newer value can never be overtaken by its older one. */
  async function flush(): Promise<void> {
    writing = writing.then(lookForLost).then(writeChanges);
    return writing;
  }

  function publishEverything(): void {
    for (const name of cluster.view.namespaces.keys()) dirty.add(name);
    isClusterDirty = true;
  }

  function noteKey(name: string, value: string | undefined): void {
    const isThere = cluster.view.namespaces.has(name);
    if (value !== undefined) published.add(name);
    // Else it would be missed until the namespace changes, and its cluster would not be whole.
    if (isThere === (value === undefined)) dirty.add(name);
    if (isThere && value !== undefined && readNamespaceInventory(name, value) === undefined) spoilt.add(name);
    else spoilt.delete(name);
  }

  /**
   * Follows its own keys: what another login deletes is written again, a wiped bucket is filled again, and keys of namespaces that are
   * gone are removed.
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
        isWhole = false;
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
      if (isStopUnshown()) void flush();
    },
    flush,
    tellWhyUnseen: async (signal) => tellWhyUnseen({ cluster, mode, inventory, clock, log }, signal),
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
