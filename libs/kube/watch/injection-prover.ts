import type { InjectionProof } from "#libs/fleet";
import { lookUp } from "#libs/input";
import { cleanText } from "#libs/runtime";

import type { ApiObject } from "../api-types.ts";
import { STOPS_NAMESPACE } from "../configmap-names.ts";
import { readInjectedRevision } from "../objects/project-pod.ts";
import { readProxyImage } from "../objects/pods/proxy-image.ts";
import { type ApiAnswer, type ApiCall, readMessage, type Send, ServerUnreachable } from "../requests/api-call.ts";
import type { ClusterStore } from "../store/cluster-store.ts";

/** Proves that the webhooks of a cluster inject what its labels say, by dry runs. */
export interface InjectionProver {
  /**
   * Tries each label that was not proven within `maxAgeMs`, and puts the results into the store. Never rejects for a server's
   * answer.
   */
  prove(labels: readonly string[], maxAgeMs: number): Promise<void>;
}

export interface InjectionProverParts {
  readonly send: Send;
  readonly store: Pick<ClusterStore, "facts" | "noteInjection">;
  /** Real ms. */
  readonly monotonic: () => number;
}

/** Longer messages are cut. */
const longestWhy = 500;
/** Longer than the 10 s that Istio's webhook may take. */
const tryMs = 15_000;

const restricted = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  runAsUser: 1000,
  seccompProfile: { type: "RuntimeDefault" },
};
const resources = { requests: { cpu: "1m", memory: "1Mi" }, limits: { cpu: "1m", memory: "1Mi" } };

/**
 * A pod that complies with strict admission policies, so that only the injection is judged. As a dry run it is never created.
 */
function describeDryRun(label: string): ApiCall {
  const container = { name: "app", image: "meshroll.dev/dry-run:1", securityContext: restricted, resources };
  return {
    method: "POST",
    path: `/api/v1/namespaces/${STOPS_NAMESPACE}/pods?dryRun=All&fieldManager=meshroll`,
    contentType: "application/json",
    body: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { generateName: "meshroll-dry-run-", labels: { "istio.io/rev": label } },
      spec: { containers: [container] },
    },
    timeoutMs: tryMs,
  };
}

/** `revision` is the one that the label stands for. Only a returned pod says something about the webhooks. */
function judgeAnswer(answer: ApiAnswer, label: string, revision: string): InjectionProof {
  if (answer.status < 200 || answer.status >= 300) {
    const why = `the API server answered ${answer.status}: ${readMessage(answer)}`;
    return { state: "unknown", why, ...(answer.status === 403 ? { mayNotTry: true } : {}) };
  }
  const { metadata = {}, spec = {} } = (answer.body ?? {}) as ApiObject;
  const [injected, image] = [readInjectedRevision(metadata), readProxyImage(spec)];
  if (injected === revision) return { state: "proven", ...(image === undefined ? {} : { image }) };
  const pod = `a pod with istio.io/rev: ${label} in ${STOPS_NAMESPACE}`;
  const got = injected === undefined ? "without a sidecar" : `with the sidecar of ${injected}`;
  return { state: "refused", why: `${pod} came back ${got}` };
}

/** An inconclusive try keeps the image that the previous one showed. */
function keepImage(proof: InjectionProof, before: InjectionProof | undefined): InjectionProof {
  const image = before === undefined || before.state === "refused" ? undefined : before.image;
  return proof.state === "unknown" && image !== undefined ? { ...proof, image } : proof;
}

/** The newest try of one label. */
interface Tried {
  readonly proof: InjectionProof;
  readonly at: number;
}

export function createInjectionProver({ send, store, monotonic }: InjectionProverParts): InjectionProver {
  const tried = new Map<string, Tried>();
  const underWay = new Map<string, Promise<void>>();

  function publish(): void {
    const { revisions, tags } = store.facts();
    const known = new Set([...revisions.map(({ name }) => name), ...Object.keys(tags), ...underWay.keys()]);
    for (const label of tried.keys()) if (!known.has(label)) tried.delete(label);
    const labels = [...tried].toSorted(([a], [b]) => (a < b ? -1 : 1));
    store.noteInjection(Object.fromEntries(labels.map(([label, { proof }]) => [label, proof])));
  }

  async function tryOnce(label: string): Promise<InjectionProof> {
    try {
      const answer = await send(describeDryRun(label));
      return judgeAnswer(answer, label, lookUp(store.facts().tags, label) ?? label);
    } catch (error) {
      if (error instanceof ServerUnreachable) return { state: "unknown", why: cleanText(error.message, longestWhy) };
      throw error;
    }
  }

  async function renew(label: string): Promise<void> {
    const proof = keepImage(await tryOnce(label), tried.get(label)?.proof);
    tried.set(label, { proof, at: monotonic() });
    publish();
  }

  function isFresh(label: string, maxAgeMs: number): boolean {
    const last = tried.get(label);
    return last?.proof.state === "proven" && monotonic() - last.at < maxAgeMs;
  }

  return {
    prove: async (labels, maxAgeMs) => {
      const due = labels.filter((label) => !isFresh(label, maxAgeMs));
      const tries = due.map(async (label) => {
        // Concurrent callers share one dry run.
        const running = underWay.get(label) ?? renew(label).finally(() => underWay.delete(label));
        underWay.set(label, running);
        await running;
      });
      // Once `prove` was called, a label without a result counts as unknown, not as absent.
      publish();
      await Promise.all(tries);
    },
  };
}
