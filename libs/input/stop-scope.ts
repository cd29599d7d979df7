import { isLabelName, isRunId } from "./identifiers.ts";

/** What a stop binds (rules 7.1). Every text that claims to be one goes through `isStopScope`, and is taken apart here alone. */
export type StopScope =
  | "all"
  | `cluster/${string}`
  | `campaign/${string}`
  | `run/${string}`
  | `bucket/${string}`
  | `namespace/${string}`;

/** As `rollouts.yml` allows a pattern: no blanks, nothing outside ASCII. */
const pattern = /^[\u0021-\u007E]{1,256}$/;

const forms: ReadonlyMap<string, (name: string) => boolean> = new Map([
  ["cluster", isLabelName],
  ["campaign", isLabelName],
  ["namespace", isLabelName],
  ["run", isRunId],
  ["bucket", (name: string) => pattern.test(name)],
]);

/** True when the text is a scope: the kind is known, and the name is one that such a thing can have. */
export function isStopScope(text: string): text is StopScope {
  if (text === "all") return true;
  const slash = text.indexOf("/");
  return slash > 0 && forms.get(text.slice(0, slash))?.(text.slice(slash + 1)) === true;
}

/** All kinds of scope but `all`, which has no name. */
export type ScopeKind = "cluster" | "campaign" | "namespace" | "run" | "bucket";

/** The name in a scope of this kind, as `4d1f…` in `run/4d1f…`; undefined for a scope of another kind, and for none. */
export function findNamed(kind: ScopeKind, scope: string | undefined): string | undefined {
  return scope?.startsWith(`${kind}/`) === true ? scope.slice(kind.length + 1) : undefined;
}

/** The kind of a scope; undefined where the text begins like none. Whether its name can be one says `isStopScope`. */
export function findScopeKind(text: string): ScopeKind | "all" | undefined {
  if (text === "all") return text;
  const kind = text.split("/", 1)[0] ?? "";
  return kind !== text && forms.has(kind) ? (kind as ScopeKind) : undefined;
}

/** Names of things, by their kind; a kind that is absent has none. */
export type NamesByKind = { readonly [K in ScopeKind]?: readonly string[] };

/** True when the scope is one of these things. */
export function namesOneOf(scope: string, names: NamesByKind): boolean {
  const kind = findScopeKind(scope);
  if (kind === undefined || kind === "all") return false;
  return names[kind]?.includes(scope.slice(kind.length + 1)) === true;
}

/** True when the scope is everything, or one of these things: a stop on it binds some of them. */
export function coversOneOf(scope: string, names: NamesByKind): boolean {
  return scope === "all" || namesOneOf(scope, names);
}

/** False for a scope that is another cluster alone. */
export function mayConcernCluster(scope: string, cluster: string): boolean {
  return (findNamed("cluster", scope) ?? cluster) === cluster;
}

/** The scope of a wait: what one run waits for in one cluster. */
export function nameShareScope(run: string, cluster: string): `run/${string}` {
  return `run/${run}@${cluster}`;
}

/** The cluster in which a run waits, for the scope of such a wait; undefined for any other scope. */
export function findShareCluster(scope: string): string | undefined {
  const at = scope.indexOf("@");
  return at < 0 || !scope.startsWith("run/") ? undefined : scope.slice(at + 1);
}

/** The run of a scope, and of a wait in one of its clusters. */
export function findRunNamed(scope: string | undefined): string | undefined {
  return findNamed("run", scope)?.split("@", 1)[0];
}
