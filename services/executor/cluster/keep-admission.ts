import type { AdmissionRead, Cluster, WriteOutcome } from "#libs/kube";
import { type JudgedWorkload, planAdmission } from "#libs/plan";
import type { RepositorySnapshots } from "#libs/repository";
import { type Clock, doEach, type Logger } from "#libs/runtime";

import type { Troubles } from "../messages/troubles.ts";
import type { Lookout } from "../moves/take-snapshot.ts";

export interface AdmissionKeeping {
  readonly cluster: Pick<Cluster, "name" | "view" | "readAdmission" | "applyAdmission" | "hasAdmissionPolicy">;
  readonly repositorySnapshots: Pick<RepositorySnapshots, "view">;
  readonly takeSnapshot: () => Promise<Lookout>;
  readonly troubles: Pick<Troubles, "put" | "clear">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly waitForChange: (longestMs: number, signal: AbortSignal) => Promise<void>;
}

type Data = Readonly<Record<string, string>>;

/** What became of a namespace's map; `down`: the API server does not answer. */
type Unkept = "refused" | "down";
type Kept = "kept" | Unkept;

/** What this process last read, or wrote, of a namespace's map. */
interface Known {
  readonly data: Data;
  /** Real monotonic ms. */
  readonly at: number;
}

/** Real ms between two looks at the least, and when nothing changes: a manifest comes of age without any event. */
const lookEveryMs = 1_000;
/** Real ms after which a map is read again, in case another writer changed it. */
const reread = 300_000;
/** Real ms until what the API server did not take, or may not be read, is tried again. */
const retryMs = 10_000;
/** Real ms between two looks at whether the policy is there: while main wants it, and while it does not. */
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

/** Keeps the parameters of the policy that labels new pods. */
class AdmissionWriter {
  readonly #parts: AdmissionKeeping;
  readonly #known = new Map<string, Known>();
  #policy: { readonly isThere: boolean | undefined; readonly at: number } = {
    isThere: undefined,
    at: Number.NEGATIVE_INFINITY,
  };

  constructor(parts: AdmissionKeeping) {
    this.#parts = parts;
  }

  /** What the namespace's map holds; named for people where it cannot be read. */
  async #read(namespace: string): Promise<Data | Unkept> {
    const { cluster, clock } = this.#parts;
    const known = this.#known.get(namespace);
    if (known !== undefined && clock.monotonic() - known.at < reread) return known.data;
    const read = await cluster.readAdmission(namespace);
    if (read.kind === "read") {
      this.#known.set(namespace, { data: read.data, at: clock.monotonic() });
      return read.data;
    }
    return this.#complain(namespace, read);
  }

  #complain(namespace: string, outcome: Exclude<AdmissionRead, { kind: "read" }> | WriteOutcome): Unkept {
    const { cluster, troubles, log } = this.#parts;
    const why = "why" in outcome ? outcome.why : outcome.kind;
    const fix = outcome.kind === "refused" ? `; the rights come with ${manifest}` : "";
    const text = `AdmissionUnkept: ConfigMap ${namespace}/meshroll-admission cannot be kept in ${cluster.name} (${why})${fix}`;
    if (troubles.put(about, text)) log.warn({ outcome, namespace }, "could not keep what labels new pods");
    return outcome.kind === "unavailable" ? "down" : "refused";
  }

  async #write(namespace: string, data: Data): Promise<Kept> {
    const { cluster, clock, log } = this.#parts;
    const outcome = await cluster.applyAdmission(namespace, data);
    if (outcome.kind === "written") {
      this.#known.set(namespace, { data, at: clock.monotonic() });
      log.info({ namespace, data }, "said which new pods get which revision");
      return "kept";
    }
    this.#known.delete(namespace);
    // Its namespace has just been deleted.
    return outcome.kind === "gone" ? "kept" : this.#complain(namespace, outcome);
  }

  async #keepNamespace(namespace: string, workloads: readonly JudgedWorkload[], { snapshot }: Lookout): Promise<Kept> {
    const { cluster } = this.#parts;
    const setting = snapshot.settings?.admission;
    const before = await this.#read(namespace);
    if (typeof before === "string") return before;
    const { minDeploymentAge = 0 } = setting ?? {};
    const templateOf = cluster.view.templateOf.bind(cluster.view);
    const data =
      setting === undefined ? {} : planAdmission({ snapshot, minDeploymentAge, workloads, before, templateOf });
    return isEqual(before, data) ? "kept" : this.#write(namespace, data);
  }

  /** Whether the policy is there, as it was seen last; named for people where main wants it and it is not. */
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

  /** Of main's newest files; undefined while they cannot be read. */
  #isWanted(): boolean | undefined {
    const view = this.#parts.repositorySnapshots.view();
    const settings = view?.specs.get(view.main.head)?.settings;
    return settings === undefined ? undefined : settings.admission !== undefined;
  }

  /** One look at all namespaces; answers the real ms to wait before the next one. */
  async keepOnce(signal: AbortSignal): Promise<number> {
    const isWanted = this.#isWanted();
    if (isWanted === undefined) return lookEveryMs;
    const isThere = await this.#findPolicy(isWanted);
    // Without the policy nothing reads the maps, and who never wanted it has none.
    if (!isWanted && isThere !== true) return retryMs;
    const lookout = await this.#parts.takeSnapshot();
    const { claim, cluster } = lookout.snapshot;
    // Not a word is written into what is served for another installation.
    if (claim !== "own" || !cluster.fresh) return lookEveryMs;
    const results = new Set<Kept>();
    const keep = async ([namespace, workloads]: readonly [string, readonly JudgedWorkload[]]): Promise<void> => {
      // An API server that does not answer is not asked for the next one.
      if (!signal.aborted && !results.has("down"))
        results.add(await this.#keepNamespace(namespace, workloads, lookout));
    };
    await doEach(groupByNamespace(lookout.judged.list("managed")), keep, {
      onFault: ([namespace], error) => {
        results.add("refused");
        this.#parts.log.error({ error, namespace }, "could not look after what labels the new pods of one namespace");
      },
    });
    if (signal.aborted) return 0;
    if (results.has("down") || results.has("refused")) return retryMs;
    this.#parts.troubles.clear(about);
    return lookEveryMs;
  }
}

/**
 * Keeps the ConfigMap `meshroll-admission` of each managed namespace of one cluster as `libs/plan/admission` decides it. Repeatable:
 * what is there already is not written again.
 */
export async function keepAdmission(parts: AdmissionKeeping, signal: AbortSignal): Promise<void> {
  const writer = new AdmissionWriter(parts);
  while (!signal.aborted) {
    const woken = parts.waitForChange(lookEveryMs, signal);
    const pauseMs = await writer.keepOnce(signal).catch((error: unknown) => {
      parts.log.error({ error }, "could not look after what labels new pods: the next reconcile tries again");
      return retryMs;
    });
    await parts.clock.sleepReal(pauseMs, signal).catch(() => undefined);
    await woken;
  }
}
