import type { ClusterStore, IstiodPod } from "../store/cluster-store.ts";
import { type IstiodReport, mergeReports, reportIstiod } from "../objects/mesh/istiod-report.ts";
import { type AskIstiod, ISTIOD_ACCOUNT, type IstiodAnswer, type IstiodRight } from "./ask-istiod.ts";
import { XDS_PORT } from "./read-status.ts";

/** Asks the istiods of one cluster for their version and their proxies, each replica, as only it knows its own. */
export interface IstiodReader {
  /** Asks all ready istiods once, and puts the answers into the store. Never rejects for a server's answer. */
  read(): Promise<void>;
  /** Why they cannot be read, in sentences with a fix. */
  problems(): readonly string[];
}

export interface IstiodReaderParts {
  readonly ask: AskIstiod;
  readonly store: Pick<ClusterStore, "facts" | "listIstiodPods" | "findTrust" | "noteIstiods">;
  /** Called when figures or problems changed that people see. */
  readonly changed: () => void;
  /** Real ms. */
  readonly monotonic: () => number;
}

/** Changed figures are reported at most this often, real ms. */
const toldEveryMs = 5_000;
/** An istiod that misses so many queries in a row is reported. */
const patience = 3;

/** Versions and proxies stay unknown. */
const effect = "its version and whether its proxies are in sync stay unknown";

/** The command that shows what is missing. */
function checkRight(right: IstiodRight, namespace: string): string {
  if (right === "account") return `kubectl get serviceaccount ${ISTIOD_ACCOUNT} -n ${namespace}`;
  const what =
    right === "token" ? `serviceaccounts/${ISTIOD_ACCOUNT} --subresource=token` : "pods --subresource=portforward";
  return `kubectl auth can-i create ${what} -n ${namespace}`;
}

/** What prevented the last reading, by revision or by sentence. */
interface Obstacles {
  readonly forbidden: Set<string>;
  readonly refused: Map<string, string>;
  readonly silent: Map<string, string>;
}

function note(obstacles: Obstacles, { revision, namespace }: IstiodPod, answer: IstiodAnswer): void {
  if (answer.kind === "forbidden") {
    const check = checkRight(answer.right, namespace);
    obstacles.forbidden.add(`cannot ask istiod (forbidden: ${answer.why}): ${effect}; check with ${check}`);
  }
  if (answer.kind === "refused") obstacles.refused.set(revision, answer.why);
  if (answer.kind === "silent") obstacles.silent.set(revision, answer.why);
}

function describeObstacles(
  { forbidden, refused, silent }: Obstacles,
  misses: ReadonlyMap<string, number>,
): readonly string[] {
  const refusals = [...refused].map(
    ([revision, why]) =>
      `istiod of ${revision} refuses the token of ServiceAccount ${ISTIOD_ACCOUNT}: ${why}: ${effect}`,
  );
  const silences = [...silent]
    .filter(([revision]) => (misses.get(revision) ?? 0) >= patience)
    .map(([revision, why]) => `istiod of ${revision} does not answer on port ${XDS_PORT}: ${why}`);
  return [...forbidden, ...refusals, ...silences];
}

/** Whether a change is reported at once: something became known or unknown, or all proxies are in sync, or no longer. */
function isNews(next: IstiodReport | undefined, before: IstiodReport | undefined): boolean {
  const [a, b] = [next?.proxies, before?.proxies];
  const isWhole = (count: typeof a) => count !== undefined && count.synced === count.connected;
  return next?.version !== before?.version || (a === undefined) !== (b === undefined) || isWhole(a) !== isWhole(b);
}

export function createIstiodReader({ ask, store, changed, monotonic }: IstiodReaderParts): IstiodReader {
  /** By the pod's UID: the version in a container does not change, so it is known while the pod says nothing. */
  let versions = new Map<string, string>();
  const misses = new Map<string, number>();
  let texts: readonly string[] = [];
  let reported = new Map<string, IstiodReport>();
  let toldAt = Number.NEGATIVE_INFINITY;

  async function askPod(pod: IstiodPod, obstacles: Obstacles, next: Map<string, string>): Promise<IstiodReport> {
    const trust = store.findTrust(pod.revision);
    const answer: IstiodAnswer =
      trust === undefined ? { kind: "silent", why: "no webhook says which certificate it has" } : await ask(pod, trust);
    note(obstacles, pod, answer);
    const report = answer.kind === "said" ? reportIstiod(answer.status) : {};
    const version = report.version ?? versions.get(pod.uid);
    if (version === undefined) return report;
    next.set(pod.uid, version);
    return { ...report, version };
  }

  function tell(reports: Map<string, IstiodReport>, problems: readonly string[]): void {
    const names = new Set([...reports.keys(), ...reported.keys()]);
    const isUrgent = [...names].some((name) => isNews(reports.get(name), reported.get(name)));
    const isOther = JSON.stringify([...reports]) !== JSON.stringify([...reported]);
    const isDue = isOther && monotonic() - toldAt >= toldEveryMs;
    const isProblem = problems.join("\n") !== texts.join("\n");
    texts = problems;
    if (!isUrgent && !isDue && !isProblem) return;
    reported = reports;
    toldAt = monotonic();
    changed();
  }

  return {
    problems: () => texts,
    read: async () => {
      const obstacles: Obstacles = { forbidden: new Set(), refused: new Map(), silent: new Map() };
      const next = new Map<string, string>();
      const reports = new Map<string, IstiodReport>();
      for (const { name, istiod } of store.facts().revisions) {
        if (istiod !== "ready") continue;
        const answers: IstiodReport[] = [];
        for (const pod of store.listIstiodPods(name)) answers.push(await askPod(pod, obstacles, next));
        reports.set(name, mergeReports(answers));
        misses.set(name, obstacles.silent.has(name) ? (misses.get(name) ?? 0) + 1 : 0);
      }
      versions = next;
      store.noteIstiods(reports);
      tell(reports, describeObstacles(obstacles, misses));
    },
  };
}
