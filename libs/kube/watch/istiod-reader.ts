import {
  type ApiAnswer,
  type ApiCall,
  LIST_BYTES,
  readMessage,
  type Send,
  ServerUnreachable,
} from "../requests/api-call.ts";
import type { ClusterStore, IstiodPod } from "../store/cluster-store.ts";
import { countProxies, type IstiodReport, mergeReports, readIstiodVersion } from "../objects/istiod-report.ts";

/** Asks the istiods of one cluster, through the API server's own proxy: one kubeconfig suffices. */
export interface IstiodReader {
  /** Asks all ready istiods once, and puts the answers into the store. Never rejects for a server's answer. */
  read(): Promise<void>;
  /** Why they cannot be read, in sentences with a fix. */
  problems(): readonly string[];
}

export interface IstiodReaderParts {
  readonly send: Send;
  readonly store: Pick<ClusterStore, "facts" | "listIstiodPods" | "noteIstiods">;
  /** Called when figures or problems changed that people see. */
  readonly changed: () => void;
  /** Real ms. */
  readonly monotonic: () => number;
}

/** istiod's port for metrics and debugging, plain HTTP. */
const port = 15_014;
const askMs = 5_000;
/** A list of 10,000 proxies has 15 MB. */
const listMs = 15_000;
/** Enough for a version, or for the error page of another server. */
const versionBytes = 64 * 1024;
/** Changed figures are reported at most this often, real ms. */
const toldEveryMs = 5_000;
/** An istiod that misses so many queries in a row is reported. */
const patience = 3;

type Requested =
  | { readonly kind: "said"; readonly body: unknown }
  /** Our account may not use the API server's proxy. */
  | { readonly kind: "forbidden"; readonly why: string }
  /** istiod requires a login, which the API server's proxy does not pass on. */
  | { readonly kind: "login" }
  | { readonly kind: "silent"; readonly why: string };

type Limits = Required<Pick<ApiCall, "timeoutMs" | "mostBytes">>;

/** Whether the answer is the API server's own, not that of the istiod behind its proxy. */
function isOwnWord({ body }: ApiAnswer): boolean {
  return typeof body === "object" && body !== null && (body as { readonly kind?: unknown }).kind === "Status";
}

function judgeAnswer(answer: ApiAnswer): Requested {
  if (answer.status === 200) return { kind: "said", body: answer.body };
  if (answer.status === 403 && isOwnWord(answer)) return { kind: "forbidden", why: readMessage(answer) };
  if ((answer.status === 401 || answer.status === 403) && !isOwnWord(answer)) return { kind: "login" };
  return { kind: "silent", why: readMessage(answer) };
}

async function ask(send: Send, pod: IstiodPod, path: string, limits: Limits): Promise<Requested> {
  const place = `/api/v1/namespaces/${encodeURIComponent(pod.namespace)}/pods/${encodeURIComponent(pod.name)}:${port}/proxy${path}`;
  const call: ApiCall = { method: "GET", path: place, ...limits, isPassedOn: true };
  try {
    return judgeAnswer(await send(call));
  } catch (error) {
    if (error instanceof ServerUnreachable) return { kind: "silent", why: error.message };
    throw error;
  }
}

/** What prevented the last reading, by the sentence for people. */
interface Obstacles {
  forbidden: string | undefined;
  readonly logins: Set<string>;
  readonly silent: Map<string, string>;
}

function note(obstacles: Obstacles, revision: string, asked: Requested): void {
  if (asked.kind === "forbidden") obstacles.forbidden = asked.why;
  if (asked.kind === "login") obstacles.logins.add(revision);
  if (asked.kind === "silent") obstacles.silent.set(revision, asked.why);
}

function describeObstacles({ forbidden, logins, silent }: Obstacles, misses: ReadonlyMap<string, number>): string[] {
  const texts: string[] = [];
  if (forbidden !== undefined) {
    const effect = "which version it is and whether its proxies are in sync stays unknown";
    texts.push(
      `cannot ask istiod (forbidden: ${forbidden}): ${effect}; check with kubectl auth can-i get pods/proxy -n istio-system`,
    );
  }
  if (logins.size > 0) {
    const names = [...logins].join(", ");
    const effect = "which the API server's proxy does not pass on: gate proxySync has no data there";
    texts.push(`istiod of ${names} wants a login for /debug/syncz, ${effect}`);
  }
  for (const [revision, why] of silent) {
    if ((misses.get(revision) ?? 0) >= patience)
      texts.push(`istiod of ${revision} does not answer on port ${port}: ${why}`);
  }
  return texts;
}

/** Whether a change is reported at once: something became known or unknown, or all proxies are in sync, or no longer. */
function isNews(next: IstiodReport | undefined, before: IstiodReport | undefined): boolean {
  const [a, b] = [next?.proxies, before?.proxies];
  const isWhole = (count: typeof a) => count !== undefined && count.synced === count.connected;
  return next?.version !== before?.version || (a === undefined) !== (b === undefined) || isWhole(a) !== isWhole(b);
}

export function createIstiodReader({ send, store, changed, monotonic }: IstiodReaderParts): IstiodReader {
  /** By the pod's UID: the version in a container does not change. */
  let versions = new Map<string, string>();
  const misses = new Map<string, number>();
  let texts: readonly string[] = [];
  let reported = new Map<string, IstiodReport>();
  let toldAt = Number.NEGATIVE_INFINITY;

  async function requestVersion(pod: IstiodPod, obstacles: Obstacles): Promise<string | undefined> {
    const known = versions.get(pod.uid);
    if (known !== undefined) return known;
    const asked = await ask(send, pod, "/version", { timeoutMs: askMs, mostBytes: versionBytes });
    note(obstacles, pod.revision, asked);
    return asked.kind === "said" ? readIstiodVersion(asked.body) : undefined;
  }

  async function askPod(pod: IstiodPod, obstacles: Obstacles, next: Map<string, string>): Promise<IstiodReport> {
    const version = await requestVersion(pod, obstacles);
    if (version !== undefined) next.set(pod.uid, version);
    const asked = await ask(send, pod, "/debug/syncz", { timeoutMs: listMs, mostBytes: LIST_BYTES });
    note(obstacles, pod.revision, asked);
    const proxies = asked.kind === "said" ? countProxies(asked.body) : undefined;
    return { ...(version === undefined ? {} : { version }), ...(proxies === undefined ? {} : { proxies }) };
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
      const obstacles: Obstacles = { forbidden: undefined, logins: new Set(), silent: new Map() };
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
