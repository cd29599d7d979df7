import type { ProxyRefusal, RevisionFacts } from "#libs/fleet";
import { cleanLine } from "#libs/input";

import type { IstiodStatus, ProxyStatus } from "./proxy-status.ts";

/** What the istiods of a revision answered to the last query. */
export type IstiodReport = Pick<RevisionFacts, "version" | "proxies">;

type ProxyCount = NonNullable<RevisionFacts["proxies"]>;
type NamespaceCount = NonNullable<ProxyCount["byNamespace"]>[string];

/** Prefix of what Envoys are sent; a ztunnel gets other types. */
const envoyTypes = "type.googleapis.com/envoy.config.";
/** What an Envoy is sent before it can serve. */
const needed = ["cluster.v3.Cluster", "listener.v3.Listener"].map((type) => envoyTypes + type);
/** Refusals that are told of one revision: one of each namespace first. */
const mostRefusals = 20;
const longestWhy = 400;

/**
 * True when the proxy acknowledged everything that it was sent, and was sent what it needs. A proxy that has just connected was
 * sent nothing yet.
 */
function isSynced({ resources }: ProxyStatus): boolean {
  const sent = resources.filter(({ state }) => state !== "notSent");
  if (sent.length === 0 || sent.some(({ state }) => state !== "synced")) return false;
  const isEnvoy = resources.some(({ type }) => type.startsWith(envoyTypes));
  return !isEnvoy || needed.every((type) => sent.some((each) => each.type === type));
}

/** `type.googleapis.com/envoy.config.listener.v3.Listener` is a `Listener`. */
function nameType(type: string): string {
  return type.slice(Math.max(type.lastIndexOf("."), type.lastIndexOf("/")) + 1);
}

function findRefusal({ proxy, resources }: ProxyStatus): ProxyRefusal | undefined {
  const refused = resources.find(({ state }) => state === "error");
  if (refused === undefined) return undefined;
  return { proxy, type: nameType(refused.type), why: cleanLine(refused.error ?? "", longestWhy) };
}

/** Proxies are named `<pod>.<namespace>`; a namespace's name has no dot. */
function readNamespace({ proxy }: Pick<ProxyStatus, "proxy">): string {
  return proxy.slice(proxy.lastIndexOf(".") + 1);
}

/** A number of refusals is there only where there are any. */
function printCount(connected: number, synced: number, refused: number): NamespaceCount {
  return refused === 0 ? [connected, synced] : [connected, synced, refused];
}

function addCounts([a, b, c = 0]: NamespaceCount, [d, e, f = 0]: NamespaceCount): NamespaceCount {
  return printCount(a + d, b + e, c + f);
}

/** So many of them, one of each namespace first. */
function chooseRefusals(all: readonly ProxyRefusal[]): readonly ProxyRefusal[] {
  const seen = new Set<string>();
  const firsts = all.filter((each) => !seen.has(readNamespace(each)) && seen.add(readNamespace(each)));
  return [...firsts, ...all.filter((each) => !firsts.includes(each))].slice(0, mostRefusals);
}

function printCounts(byNamespace: ReadonlyMap<string, NamespaceCount>, refusals: readonly ProxyRefusal[]): ProxyCount {
  const [connected, synced, refused = 0] = [...byNamespace.values()].reduce(addCounts, [0, 0]);
  return {
    connected,
    synced,
    ...(refused === 0 ? {} : { refused, refusals: chooseRefusals(refusals) }),
    byNamespace: Object.fromEntries([...byNamespace].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function addTo(counts: Map<string, NamespaceCount>, namespace: string, more: NamespaceCount): void {
  counts.set(namespace, addCounts(counts.get(namespace) ?? [0, 0], more));
}

/** The proxies of one istiod. @internal */
export function countProxies(proxies: readonly ProxyStatus[]): ProxyCount {
  const counts = new Map<string, NamespaceCount>();
  const refusals: ProxyRefusal[] = [];
  for (const each of proxies) {
    const refusal = findRefusal(each);
    if (refusal !== undefined) refusals.push(refusal);
    addTo(counts, readNamespace(each), printCount(1, isSynced(each) ? 1 : 0, refusal === undefined ? 0 : 1));
  }
  return printCounts(counts, refusals);
}

/** What one istiod reports. */
export function reportIstiod({ version, proxies }: IstiodStatus): IstiodReport {
  return { ...(version === undefined ? {} : { version }), proxies: countProxies(proxies) };
}

/** Each istiod knows only the proxies that are connected to it, so the counts are added. */
function mergeProxies(all: readonly ProxyCount[]): ProxyCount {
  const counts = new Map<string, NamespaceCount>();
  for (const { byNamespace = {} } of all)
    for (const [namespace, each] of Object.entries(byNamespace)) addTo(counts, namespace, each);
  return printCounts(
    counts,
    all.flatMap(({ refusals = [] }) => refusals),
  );
}

/** One revision, by all its istiods. */
export function mergeReports(reports: readonly IstiodReport[]): IstiodReport {
  const versions = [...new Set(reports.flatMap(({ version }) => version ?? []))];
  const known = reports.flatMap(({ proxies }) => proxies ?? []);
  const isEveryVersionKnown = reports.every(({ version }) => version !== undefined);
  const isWhole = reports.length > 0 && known.length === reports.length;
  return {
    // While two versions run, a replacement is under way and the revision has no version.
    ...(isEveryVersionKnown && versions.length > 0
      ? { version: versions.toSorted((a, b) => (a < b ? -1 : 1)).join(", ") }
      : {}),
    ...(isWhole ? { proxies: mergeProxies(known) } : {}),
  };
}
