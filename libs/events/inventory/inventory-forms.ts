import type { ClusterFacts, NamespaceInventory, Workload } from "#libs/fleet";
import { isObject, lookUp } from "#libs/input";

// Without zod: a start replays 240,000 of these, and a check that copies nothing takes a tenth of the time.
type Check = (value: unknown) => boolean;

const isFlag: Check = (value) => typeof value === "boolean";
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
/** Count of keys; -1 while the executor cannot know it, so that the cluster is not taken for complete. */
const isKeyCount: Check = (value) => value === -1 || isCount(value);
const isNumber: Check = (value) => Number.isFinite(value);

function isExactly(wanted: boolean): Check {
  return (value) => value === wanted;
}

function isText(most: number): Check {
  return (value) => typeof value === "string" && value.length <= most;
}

function isOneOf(...words: readonly string[]): Check {
  return (value) => typeof value === "string" && words.includes(value);
}

function isMatching(pattern: RegExp): Check {
  return (value) => typeof value === "string" && pattern.test(value);
}

function isOptional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

function isList(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/**
 * A record by names of others. `__proto__` is refused: copied, it would change the object, and Kubernetes has no such label.
 */
function isRecord(check: Check): Check {
  return (value) => isObject(value) && Object.entries(value).every(([key, each]) => key !== "__proto__" && check(each));
}

/** An object with at least these fields. */
function hasFields(checks: Readonly<Record<string, Check>>): Check {
  const list = Object.entries(checks);
  return (value) => isObject(value) && list.every(([name, check]) => check(lookUp(value, name)));
}

/** Kubernetes names: DNS names of at most 253 characters. */
const isName = isMatching(/^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/);
const isNamespaceName = isMatching(/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/);
const isUid = isMatching(/^[\u0021-\u007E]{1,100}$/);
/** Opaque to clients of Kubernetes, but a number in every known server. */
const isVersion = isMatching(/^[\w-]{1,40}$/);
const isReadAt = isMatching(/^\d{1,20}$/);
const isRevision = isMatching(/^[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?$/);
const isImage = isText(512);
const isStrings = isRecord(isText(256 * 1024));

const isMarkManagers = isRecord(isText(256));

const isManager = hasFields({ name: isText(256), operation: isOneOf("Apply", "Update") });

const isTime = isMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const isRefusal = hasFields({ run: isText(256), why: isText(4096), at: isTime });

const isVmCounts = hasFields({
  allowed: isCount,
  upgrading: isCount,
  failed: isCount,
  unknown: isCount,
  unhealthy: isCount,
  outdated: isCount,
  absent: isCount,
});

const isArgo = hasFields({
  templateOf: isOptional(isText(317)),
  steps: isOptional(hasFields({ done: isCount, of: isCount })),
  needsPromotion: isOptional(isExactly(true)),
  holds: isOptional(isOneOf("promotion", "strategy")),
  degraded: isOptional(isText(4096)),
});

const isWorkload = hasFields({
  namespace: isNamespaceName,
  kind: isOneOf("Deployment", "StatefulSet", "DaemonSet", "Rollout", "WorkloadGroup"),
  name: isName,
  uid: isUid,
  resourceVersion: isVersion,
  generation: isCount,
  observedGeneration: isCount,
  replicas: isCount,
  total: isCount,
  updated: isCount,
  available: isCount,
  deadlineExceeded: isFlag,
  rolledOut: isOptional(isExactly(true)),
  paused: isFlag,
  orderedFrom: isOptional(isCount),
  partition: isOptional(isCount),
  argo: isOptional(isArgo),
  managedByRollout: isOptional(isExactly(true)),
  onDelete: isFlag,
  selectsRevision: isFlag,
  template: hasFields({
    labels: isStrings,
    annotations: isStrings,
    hostNetwork: isFlag,
    proxyImage: isOptional(isImage),
    isVms: isOptional(isExactly(true)),
  }),
  annotations: isStrings,
  marksBy: isOptional(isMarkManagers),
  revisionManager: isOptional(isManager),
  admitted: isOptional(isText(256)),
  pods: isList(
    hasFields({
      revision: isOptional(isText(256)),
      image: isOptional(isImage),
      count: isCount,
      ready: isCount,
      oldest: isOptional(isCount),
    }),
  ),
  disruptionsAllowed: isOptional(isCount),
  rolloutUnavailable: isOptional(isCount),
  times: isOptional(
    hasFields({
      written: isOptional(isCount),
      deployed: isOptional(isCount),
      status: isOptional(isCount),
      rolledOut: isOptional(isCount),
      paused: isOptional(isCount),
    }),
  ),
  noDisruptionSince: isOptional(isCount),
  refused: isOptional(isRefusal),
  vms: isOptional(isVmCounts),
});

const isNamespace = hasFields({
  name: isNamespaceName,
  uid: isUid,
  resourceVersion: isVersion,
  labels: isStrings,
  annotations: isStrings,
  marksBy: isOptional(isMarkManagers),
  terminating: isFlag,
  revisionManager: isOptional(isManager),
  refused: isOptional(isRefusal),
});

const isOther = hasFields({
  apiVersion: isText(317),
  kind: isText(63),
  name: isOptional(isText(253)),
  revision: isText(256),
  live: isCount,
  completed: isCount,
  failed: isCount,
});

const isInventory = hasFields({
  namespace: isNamespace,
  workloads: isList(isWorkload),
  others: isOptional(isList(isOther)),
  readAt: isReadAt,
});

function name({ kind, name: own }: Workload): string {
  return `${kind}/${own}`;
}

/** By kind and name, without duplicates: the order in which trees are built. */
function isSorted(workloads: readonly Workload[]): boolean {
  return workloads.every((each, at) => {
    const before = workloads[at - 1];
    return before === undefined || name(before) < name(each);
  });
}

/** Whether this is the inventory of exactly this namespace; another one's under its key would be counted here. */
export function isInventoryOf(namespace: string, value: unknown): value is NamespaceInventory {
  if (!isInventory(value)) return false;
  const { namespace: own, workloads } = value as NamespaceInventory;
  return own.name === namespace && workloads.every((each) => each.namespace === namespace) && isSorted(workloads);
}

const isFacts = hasFields({
  cluster: isNamespaceName,
  seenAt: isNumber,
  serverAt: isOptional(isNumber),
  count: isKeyCount,
  unpublished: isOptional(isCount),
  uid: isText(80),
  mode: isOneOf("observe", "act"),
  revisions: isList(
    hasFields({
      name: isRevision,
      webhook: isFlag,
      istiod: isOneOf("ready", "unready", "missing"),
      injectorHost: isOptional(isText(300)),
      version: isOptional(isText(256)),
      proxyImage: isOptional(isImage),
      proxies: isOptional(
        hasFields({
          connected: isCount,
          synced: isCount,
          refused: isOptional(isCount),
          refusals: isOptional(isList(hasFields({ proxy: isText(300), type: isText(100), why: isText(500) }))),
          byNamespace: isOptional(isRecord(isList(isCount))),
        }),
      ),
    }),
  ),
  injection: isOptional(
    isRecord(
      hasFields({
        state: isOneOf("proven", "refused", "unknown"),
        why: isOptional(isText(1000)),
        image: isOptional(isImage),
        mayNotTry: isOptional(isExactly(true)),
      }),
    ),
  ),
  controlPlane: isOptional(
    hasFields({ cluster: isOptional(isText(63)), namespace: isOptional(isText(63)), label: isOptional(isText(400)) }),
  ),
  budgetsKnown: isOptional(isExactly(false)),
  mapsUnread: isOptional(isExactly(true)),
  tags: isRecord(isText(256)),
  stops: hasFields({ kubectl: isFlag, recorded: isStrings }),
  installation: isOptional(isText(80)),
  problems: isList(isText(4096)),
});

/** Whether these are the facts of exactly this cluster. */
export function areFactsOf(cluster: string, value: unknown): value is ClusterFacts {
  return isFacts(value) && (value as ClusterFacts).cluster === cluster;
}
