import type { AdmissionRead, Cluster, WriteOutcome } from "#libs/kube";
import { type JudgedWorkload, planAdmission } from "#libs/plan";
import type { RepositorySnapshots } from "#libs/repository";
import { type Clock, doEach, type Logger } from "#libs/runtime";

import type { Troubles } from "../messages/troubles.ts";
import type { JudgedSnapshot } from "../moves/take-snapshot.ts";

export interface AdmissionParts {
  readonly cluster: Pick<Cluster, "name" | "view" | "readAdmission" | "applyAdmission" | "hasAdmissionPolicy">;
  readonly repositorySnapshots: Pick<RepositorySnapshots, "view">;
  readonly takeSnapshot: () => Promise<JudgedSnapshot>;
  readonly troubles: Pick<Troubles, "put" | "clear">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly waitForChange: (longestMs: number, signal: AbortSignal) => Promise<void>;
}

type Data = Readonly<Record<string, string>>;

/** Why a namespace's map could not be reconciled; `down`: the API server does not answer. */
type Failure = "refused" | "down";
type Result = "done" | Failure;

/** A namespace's map as this process last read or wrote it. */
interface Known {
  readonly data: Data;
  /** Real monotonic ms. */
  readonly at: number;
}

/**
 * Shortest wait between two passes, and the longest when nothing changes, real ms: a manifest reaches its minimum age without
 * any event.
 */
const checkEveryMs = 1_000;
/** A map is read again after so long, real ms: another writer may have changed it. */
const rereadMs = 300_000;
/** Real ms before a failed read or write is tried again. */
const retryMs = 10_000;
/** How often the presence of the policy is checked, real ms: while main wants it, and while it does not. */
const policyEveryMs = 10_000;
const unwantedEveryMs = 60_000;

const about = "admission";
const aboutPolicy = "admission policy";
const manifest = "kubectl apply -f deploy/kubernetes/admission/pods.yaml";

function isEqual(a: Data, b: Data): boolean {
  const print = (data: Data) => JSON.stringify(Object.entries(data).toSorted(([x], [y]) => (x < y ? -1 : 1)));
  return print(a) === print(b);
}

function groupByNamespace(judged: Iterable<JudgedWorkload>): ReadonlyMap<string, readonly JudgedWorkload[]> {
  const groups = new Map<string, JudgedWorkload[]>();
  for (const each of judged) {
    const { namespace } = each.workload;
    const group = groups.get(namespace);
    if (group === undefined) groups.set(namespace, [each]);
    else group.push(each);
  }
  return groups;
}

/** Reconciles the ConfigMaps from which the admission policy takes the revision of new pods. */
class AdmissionReconciler {
  readonly #parts: AdmissionParts;
  readonly #known = new Map<string, Known>();
  #policy: { readonly isThere: boolean | undefined; readonly at: number } = {
    isThere: undefined,
    at: Number.NEGATIVE_INFINITY,
  };

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** The data of the namespace's map. A failed read becomes a problem of the cluster. */
  async #read(namespace: string): Promise<Data | Failure> {
    const { cluster, clock } = this.#parts;
    const known = this.#known.get(namespace);
    if (known !== undefined && clock.monotonic() - known.at < rereadMs) return known.data;
    const read = await cluster.readAdmission(namespace);
    if (read.kind === "read") {
      this.#known.set(namespace, { data: read.data, at: clock.monotonic() });
      return read.data;
    }
    return this.#reportFailure(namespace, read);
  }

  #reportFailure(namespace: string, outcome: Exclude<AdmissionRead, { kind: "read" }> | WriteOutcome): Failure {
    const { cluster, troubles, log } = this.#parts;
    const why = "why" in outcome ? outcome.why : outcome.kind;
    const fix = outcome.kind === "refused" ? `; the rights come with ${manifest}` : "";
    const text = `AdmissionUnkept: ConfigMap ${namespace}/meshroll-admission cannot be kept in ${cluster.name} (${why})${fix}`;
    if (troubles.put(about, text))
      log.warn({ outcome, namespace }, "could not write the ConfigMap that labels new pods");
    return outcome.kind === "unavailable" ? "down" : "refused";
  }

  async #write(namespace: string, data: Data): Promise<Result> {
    const { cluster, clock, log } = this.#parts;
    const outcome = await cluster.applyAdmission(namespace, data);
    if (outcome.kind === "written") {
      this.#known.set(namespace, { data, at: clock.monotonic() });
      log.info({ namespace, data }, "wrote which revision new pods get");
      return "done";
    }
    this.#known.delete(namespace);
    // The namespace was deleted meanwhile.
    return outcome.kind === "gone" ? "done" : this.#reportFailure(namespace, outcome);
  }

  async #reconcileNamespace(
    namespace: string,
    workloads: readonly JudgedWorkload[],
    { snapshot }: JudgedSnapshot,
  ): Promise<Result> {
    const { cluster } = this.#parts;
    const setting = snapshot.settings?.admission;
    const before = await this.#read(namespace);
    if (typeof before === "string") return before;
    const { minDeploymentAge = 0 } = setting ?? {};
    const templateOf = cluster.view.templateOf.bind(cluster.view);
    const data =
      setting === undefined ? {} : planAdmission({ snapshot, minDeploymentAge, workloads, before, templateOf });
    return isEqual(before, data) ? "done" : this.#write(namespace, data);
  }

  /**
   * Whether the policy exists, at most `policyEveryMs` old; undefined while that is unknown. A missing policy that main wants
   * becomes a problem of the cluster.
   */
  async #findPolicy(isWanted: boolean): Promise<boolean | undefined> {
    const { cluster, troubles, clock } = this.#parts;
    if (!isWanted) troubles.clear(aboutPolicy);
    const ageMs = clock.monotonic() - this.#policy.at;
    if (ageMs < (isWanted ? policyEveryMs : unwantedEveryMs)) return this.#policy.isThere;
    const isThere = await cluster.hasAdmissionPolicy();
    this.#policy = { isThere, at: clock.monotonic() };
    if (isThere === true) troubles.clear(aboutPolicy);
    if (isThere === false && isWanted) {
      const effect = "new pods keep the label of their manifest";
      const text = `AdmissionPolicyMissing: no policy labels new pods in ${cluster.name}: ${effect}; ${manifest}`;
      troubles.put(aboutPolicy, text);
    }
    return isThere;
  }

  /** Whether main's newest files have the setting `admission`; undefined while they cannot be read. */
  #isWanted(): boolean | undefined {
    const view = this.#parts.repositorySnapshots.view();
    const settings = view?.specs.get(view.main.head)?.settings;
    return settings === undefined ? undefined : settings.admission !== undefined;
  }

  /** Reconciles all namespaces once. Returns the real ms to wait before the next pass. */
  async reconcileOnce(signal: AbortSignal): Promise<number> {
    const isWanted = this.#isWanted();
    if (isWanted === undefined) return checkEveryMs;
    const isThere = await this.#findPolicy(isWanted);
    // Nothing reads the maps without the policy, and where main never wanted it there are none to empty.
    if (!isWanted && isThere !== true) return retryMs;
    const judgedSnapshot = await this.#parts.takeSnapshot();
    const { claim, cluster } = judgedSnapshot.snapshot;
    // Nothing is written into a cluster that another installation serves.
    if (claim !== "own" || !cluster.fresh) return checkEveryMs;
    const results = new Set<Result>();
    const reconcile = async ([namespace, workloads]: readonly [string, readonly JudgedWorkload[]]): Promise<void> => {
      // When the API server does not answer, the remaining namespaces wait for the next pass.
      if (!signal.aborted && !results.has("down"))
        results.add(await this.#reconcileNamespace(namespace, workloads, judgedSnapshot));
    };
    await doEach(groupByNamespace(judgedSnapshot.judged.list("managed")), reconcile, {
      onFault: ([namespace], error) => {
        results.add("refused");
        this.#parts.log.error({ error, namespace }, "could not reconcile the admission of a namespace");
      },
    });
    if (signal.aborted) return 0;
    if (results.has("down") || results.has("refused")) return retryMs;
    this.#parts.troubles.clear(about);
    return checkEveryMs;
  }
}

/**
 * Reconciles the ConfigMap `meshroll-admission` of each managed namespace of one cluster with what `libs/plan/admission`
 * decides, until the signal aborts. Writes only what differs.
 */
export async function reconcileAdmission(parts: AdmissionParts, signal: AbortSignal): Promise<void> {
  const reconciler = new AdmissionReconciler(parts);
  while (!signal.aborted) {
    const woken = parts.waitForChange(checkEveryMs, signal);
    const pauseMs = await reconciler.reconcileOnce(signal).catch((error: unknown) => {
      parts.log.error({ error }, "could not reconcile admission: the next check tries again");
      return retryMs;
    });
    await parts.clock.sleepReal(pauseMs, signal).catch(() => undefined);
    await woken;
  }
}
