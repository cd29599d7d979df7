import type { RevisionFacts } from "#libs/fleet";
import { isObject } from "#libs/input";

/** What the istiods of a revision answered to the last query. */
export type IstiodReport = Pick<RevisionFacts, "version" | "proxies">;

type ProxyCount = NonNullable<RevisionFacts["proxies"]>;

/** `<version>-<git revision>-<build status>`: how Istio's binaries name their build. */
const build = /^(?<version>\S+?)-(?:[0-9a-f]{7,64}(?:-dirty)?|unknown)-[A-Za-z]+$/;
/** Longer than any version: an HTML page, for example. */
const longestVersion = 128;

/** The version in istiod's answer to `/version`. A text of another form is kept as it is and shown to people. */
export function readIstiodVersion(body: unknown): string {
  // The connection has parsed what looked like JSON already.
  const text = (typeof body === "string" ? body : (JSON.stringify(body) ?? "")).trim().slice(0, longestVersion);
  return build.exec(text)?.groups?.["version"] ?? text;
}

interface SyncStatus {
  readonly proxy?: unknown;
  readonly proxy_type?: unknown;
  readonly resources?: unknown;
  readonly [field: string]: unknown;
}

const kinds = ["cluster", "listener", "route", "endpoint", "extensionconfig"] as const;
/** What an Envoy is sent before it can serve; a ztunnel gets other types. */
const envoys: ReadonlySet<unknown> = new Set([undefined, "", "sidecar", "router", "waypoint"]);

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Pairs of sent and acknowledged nonces, in the form of old and of new istiods. */
function* listNonces(status: SyncStatus): Generator<readonly [sent: unknown, acked: unknown], undefined> {
  for (const kind of kinds) yield [status[`${kind}_sent`], status[`${kind}_acked`]];
  const { resources } = status;
  if (!isObject(resources)) return;
  for (const each of Object.values(resources)) if (isObject(each)) yield [each["sent"], each["acked"]];
}

/**
 * True when the proxy acknowledged everything that it was sent, and was sent what it needs. A proxy that has just connected was
 * sent nothing yet.
 */
function isSynced(status: SyncStatus): boolean {
  let sent = 0;
  for (const [nonce, acked] of listNonces(status)) {
    if (!isText(nonce)) continue;
    if (acked !== nonce) return false;
    sent += 1;
  }
  const isServed =
    !envoys.has(status.proxy_type) || (isText(status["cluster_sent"]) && isText(status["listener_sent"]));
  return sent > 0 && isServed;
}

/** istiod's answer to `/debug/syncz`; undefined for anything else. */
export function countProxies(body: unknown): ProxyCount | undefined {
  // Go prints an empty list as `[]`, a nil one as `null`.
  if (body === null) return { connected: 0, synced: 0, byNamespace: {} };
  if (!Array.isArray(body) || !body.every((each) => isObject(each) && isText(each["proxy"]))) return undefined;
  const all = (body as readonly SyncStatus[]).map((each) => [readNamespace(each), isSynced(each)] as const);
  const counts = new Map<string, readonly [number, number]>();
  for (const [namespace, synced] of all) {
    const [connected = 0, good = 0] = counts.get(namespace) ?? [];
    counts.set(namespace, [connected + 1, good + (synced ? 1 : 0)]);
  }
  const synced = all.filter(([, isGood]) => isGood).length;
  return { connected: all.length, synced, byNamespace: Object.fromEntries(counts) };
}

/** Proxies are named `<pod>.<namespace>`; a namespace's name has no dot. */
function readNamespace({ proxy }: SyncStatus): string {
  return String(proxy).slice(String(proxy).lastIndexOf(".") + 1);
}

/** Each istiod knows only the proxies that are connected to it, so the counts are added. */
function mergeNamespaces(counts: readonly ProxyCount[]): Pick<ProxyCount, "byNamespace"> {
  const sums = new Map<string, readonly [number, number]>();
  for (const { byNamespace } of counts) {
    if (byNamespace === undefined) return {};
    for (const [namespace, [connected, synced]] of Object.entries(byNamespace)) {
      const [before = 0, good = 0] = sums.get(namespace) ?? [];
      sums.set(namespace, [before + connected, good + synced]);
    }
  }
  return { byNamespace: Object.fromEntries([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

/** One revision, by all its istiods: each knows only the proxies that are connected to it. */
export function mergeReports(reports: readonly IstiodReport[]): IstiodReport {
  const versions = [...new Set(reports.flatMap(({ version }) => version ?? []))];
  const counts = reports.map(({ proxies }) => proxies);
  const known = counts.filter((each) => each !== undefined);
  const isEveryVersionKnown = reports.every(({ version }) => version !== undefined);
  const isWhole = reports.length > 0 && known.length === reports.length;
  return {
    // While two versions run, a replacement is under way and the revision has no version.
    ...(isEveryVersionKnown && versions.length > 0 ? { version: versions.toSorted(byText).join(", ") } : {}),
    ...(isWhole ? { proxies: { ...known.reduce(addCounts), ...mergeNamespaces(known) } } : {}),
  };
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function addCounts(a: ProxyCount, b: ProxyCount): ProxyCount {
  return { connected: a.connected + b.connected, synced: a.synced + b.synced };
}
