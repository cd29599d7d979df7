import type { ApiObject } from "../../api-types.ts";
import type { Interner } from "../../objects/interner.ts";
import { type Collection, createCollection } from "../collection.ts";

/** A WorkloadEntry with an address. One without stands behind a gateway of its network, and says nothing of one VM. */
interface Entry {
  readonly namespace: string;
  readonly name: string;
  readonly address: string;
  readonly isHealthy: boolean;
}

interface EntrySpec {
  readonly spec?: { readonly address?: unknown };
}

/** istiod keeps the entry of a proxy that is gone for ten seconds, with the health that its last probe found. */
function isDisconnected(annotations: Readonly<Record<string, string>> = {}): boolean {
  return "istio.io/disconnectedAt" in annotations && !("istio.io/connectedAt" in annotations);
}

/** A WorkloadEntry of which nothing is known to be wrong is healthy: only those with a probe have the condition. */
function projectEntry(object: ApiObject, interner: Interner): Entry | undefined {
  const { metadata: { namespace, name, annotations } = {}, status } = object;
  const { address } = (object as EntrySpec).spec ?? {};
  if (namespace === undefined || name === undefined || typeof address !== "string" || address === "") return undefined;
  const isUnhealthy = (status?.conditions ?? []).some((each) => each.type === "Healthy" && each.status === "False");
  const isHealthy = !isUnhealthy && !isDisconnected(annotations);
  return { namespace: interner.text(namespace), name, address, isHealthy };
}

export interface EntryCollection extends Collection<Entry> {
  /** By address; false = not healthy. */
  entriesOf(namespace: string): ReadonlyMap<string, boolean>;
}

const none: ReadonlyMap<string, boolean> = new Map();

/** Of two entries with one address the one that is not healthy counts. */
function describeEntries(entries: Iterable<Entry>): ReadonlyMap<string, boolean> {
  const byAddress = new Map<string, boolean>();
  for (const { address, isHealthy } of entries) byAddress.set(address, isHealthy && byAddress.get(address) !== false);
  return byAddress;
}

/** `changed` is called with the namespace of each entry whose address or health is another one. */
export function createEntries(changed: (namespace: string) => void, interner: Interner): EntryCollection {
  const byNamespace = new Map<string, Map<string, Entry>>();
  const built = new Map<string, ReadonlyMap<string, boolean>>();
  const place = ({ namespace, name }: Entry, next: Entry | undefined) => {
    const entries = byNamespace.get(namespace) ?? new Map<string, Entry>();
    if (next === undefined) entries.delete(name);
    else entries.set(name, next);
    if (entries.size === 0) byNamespace.delete(namespace);
    else byNamespace.set(namespace, entries);
    built.delete(namespace);
  };
  const collection = createCollection<Entry>({
    keyOf: ({ metadata }) => `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`,
    project: (object) => projectEntry(object, interner),
    changed: (next, before) => {
      const entry = next ?? before;
      // istiod writes the time of each probe into an entry: that alone is no news.
      const isSame = next?.address === before?.address && next?.isHealthy === before?.isHealthy;
      if (entry === undefined || isSame) return;
      place(entry, next);
      changed(entry.namespace);
    },
  });
  return {
    ...collection,
    entriesOf: (namespace) => {
      const entries = byNamespace.get(namespace);
      if (entries === undefined) return none;
      const known = built.get(namespace) ?? describeEntries(entries.values());
      built.set(namespace, known);
      return known;
    },
  };
}
