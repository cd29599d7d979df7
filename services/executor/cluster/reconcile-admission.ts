import { type AdmissionMap, findAdmitted } from "#libs/fleet";
import type { AdmissionPolicy, AdmissionRead, Cluster, WriteOutcome } from "#libs/kube";
import { groupForAdmission, type JudgedWorkload, planAdmission } from "#libs/plan";
import type { RepositorySnapshots } from "#libs/repository";
import { type Clock, doEach, type Logger } from "#libs/runtime";

import type { Troubles } from "../messages/troubles.ts";
import type { JudgedSnapshot } from "../moves/take-snapshot.ts";

export interface AdmissionParts {
  readonly cluster: Pick<
    Cluster,
    "name" | "view" | "readAdmission" | "applyAdmission" | "findAdmissionPolicy" | "noteAdmission"
  >;
  readonly repositorySnapshots: Pick<RepositorySnapshots, "view">;
  readonly takeSnapshot: () => Promise<JudgedSnapshot>;
  readonly troubles: Pick<Troubles, "put" | "clear">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly waitForChange: (longestMs: number, signal: AbortSignal) => Promise<void>;
  /** Called after each pass. `isKnown`: what the policies give new pods is shown; false while the API server did not say it. */
  readonly onShown: (isKnown: boolean) => void;
}

type Data = AdmissionMap;

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
/** How often the presence of the policies is checked, real ms: while main wants them, and while it does not. */
const policyEveryMs = 10_000;
const unwantedEveryMs = 60_000;
/** How long the last answer about them counts while the API server gives none, real ms. */
const policyLastsMs = 60_000;

const about = "admission";
const aboutPolicy = "admission policy";
const manifest =
  "kubectl apply -f deploy/chart/rights/admission/pods.yaml (installed by Helm: rights.labelNewPods=true)";

function isEqual(a: Data, b: Data): boolean {
  const print = (data: Data) => JSON.stringify(Object.entries(data).toSorted(([x], [y]) => (x < y ? -1 : 1)));
  return print(a) === print(b);
}

/** The problem of a cluster that main wants policies for; undefined: it has them, or that is not known. */
function describeMissing(name: string, policy: AdmissionPolicy): string | undefined {
  if (policy.kind === "unserved") {
    const { version = "of an unknown version" } = policy;
    const unserved = `the API server of ${name} (${version}) serves no MutatingAdmissionPolicy`;
    return (
      `AdmissionPolicyUnserved: ${unserved}, which Kubernetes 1.36 and newer have: new pods keep the label of their manifest; ` +
      "drift: converge brings them back there"
    );
  }
  if (policy.kind !== "unbound") return undefined;
  const effect = "new pods keep the label of their manifest";
  return `AdmissionPolicyMissing: no policy labels new pods in ${name}: ${effect}; ${manifest}`;
}

/** Reconciles the ConfigMaps from which the admission policy takes the revision of new pods. */
class AdmissionReconciler {
  readonly #parts: AdmissionParts;
  readonly #known = new Map<string, Known>();
  /** The maps by which the namespaces' workloads are shown with what the policies give their new pods. */
  readonly #shown = new Map<string, Data>();
  #policy: AdmissionPolicy = { kind: "unknown" };
  #policyAskedAt = Number.NEGATIVE_INFINITY;
  #policyFoundAt = Number.NEGATIVE_INFINITY;

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
    if (read.kind === "refused") this.#known.delete(namespace);
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

  /** It is read again in the next pass; until then the last data counts, as it does in the API server. */
  #expire(namespace: string): void {
    const known = this.#known.get(namespace);
    if (known !== undefined) this.#known.set(namespace, { ...known, at: Number.NEGATIVE_INFINITY });
  }

  async #write(namespace: string, data: Data): Promise<Result> {
    const { cluster, clock, log } = this.#parts;
    const outcome = await cluster.applyAdmission(namespace, data);
    if (outcome.kind === "written") {
      this.#known.set(namespace, { data, at: clock.monotonic() });
      log.info({ namespace, data }, "wrote which revision new pods get");
      return "done";
    }
    this.#expire(namespace);
    // Gone: the namespace was deleted meanwhile.
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

  /** Shows the map as the API server has it by what was read or written last; a map or policies that are not known label nothing. */
  #show(namespace: string): void {
    const data = this.#policy.kind === "bound" ? this.#known.get(namespace)?.data : undefined;
    const { cluster } = this.#parts;
    const last = this.#shown.get(namespace);
    if (data === undefined) {
      this.#shown.delete(namespace);
      if (last !== undefined) cluster.noteAdmission(namespace, undefined);
    } else if (last === undefined || !isEqual(last, data)) {
      this.#shown.set(namespace, data);
      cluster.noteAdmission(namespace, (of, workload, hash) => findAdmitted(of, workload, data, hash));
    }
  }

  /** Shows nothing any more of the namespaces that are not among these. */
  #forget(kept: ReadonlyMap<string, unknown>): void {
    for (const namespace of this.#shown.keys()) {
      if (kept.has(namespace)) continue;
      this.#known.delete(namespace);
      this.#show(namespace);
    }
  }

  /**
   * Whether the policies are in force, at most `policyEveryMs` old. Where main wants them and they are missing, that becomes a problem of
   * the cluster.
   */
  async #findPolicy(isWanted: boolean): Promise<AdmissionPolicy> {
    const { cluster, troubles, clock } = this.#parts;
    if (!isWanted) troubles.clear(aboutPolicy);
    if (clock.monotonic() - this.#policyAskedAt < (isWanted ? policyEveryMs : unwantedEveryMs)) return this.#policy;
    const found = await cluster.findAdmissionPolicy();
    this.#policyAskedAt = clock.monotonic();
    if (found.kind === "unknown" && clock.monotonic() - this.#policyFoundAt < policyLastsMs) return this.#policy;
    if (found.kind !== "unknown") this.#policyFoundAt = clock.monotonic();
    this.#policy = found;
    const problem = isWanted ? describeMissing(cluster.name, found) : undefined;
    if (problem !== undefined) troubles.put(aboutPolicy, problem);
    else if (found.kind === "bound") troubles.clear(aboutPolicy);
    return found;
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
    const policy = await this.#findPolicy(isWanted);
    // Nothing reads the maps without the policies, and where main never wanted them there are none to empty.
    if (!isWanted && policy.kind !== "bound") {
      this.#forget(new Map());
      this.#parts.onShown(true);
      return retryMs;
    }
    const judgedSnapshot = await this.#parts.takeSnapshot();
    const { claim, cluster } = judgedSnapshot.snapshot;
    // Nothing is written into a cluster that another installation serves.
    if (claim !== "own" || !cluster.fresh) return checkEveryMs;
    const results = await this.#reconcileAll(judgedSnapshot, signal);
    this.#parts.onShown(policy.kind !== "unknown" && !results.has("down"));
    if (signal.aborted) return 0;
    if (results.has("down") || results.has("refused")) return retryMs;
    this.#parts.troubles.clear(about);
    return checkEveryMs;
  }

  async #reconcileAll(judgedSnapshot: JudgedSnapshot, signal: AbortSignal): Promise<ReadonlySet<Result>> {
    const groups = groupForAdmission(judgedSnapshot.judged, judgedSnapshot.snapshot.cluster.namespaces);
    this.#forget(groups);
    const results = new Set<Result>();
    const reconcile = async ([namespace, workloads]: readonly [string, readonly JudgedWorkload[]]): Promise<void> => {
      // When the API server does not answer, the remaining namespaces wait for the next pass.
      if (!signal.aborted && !results.has("down"))
        results.add(await this.#reconcileNamespace(namespace, workloads, judgedSnapshot));
      this.#show(namespace);
    };
    await doEach(groups, reconcile, {
      onFault: ([namespace], error) => {
        results.add("refused");
        this.#parts.log.error({ error, namespace }, "could not reconcile the admission of a namespace");
      },
    });
    return results;
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
