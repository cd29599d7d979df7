import type { IstiodPod, IstiodTrust } from "../objects/mesh-facts.ts";
import type { IstiodStatus } from "../objects/mesh/proxy-status.ts";
import { type ApiAnswer, readMessage, type Send } from "../requests/api-call.ts";
import { GrpcRefused } from "./ask-over-grpc.ts";

/** What one istiod answered, or why it did not. */
export type IstiodAnswer =
  | { readonly kind: "said"; readonly status: IstiodStatus }
  /** The API server gave us no token, or no way to the pod. */
  | { readonly kind: "forbidden"; readonly why: string; readonly right: IstiodRight }
  /** istiod does not let our ServiceAccount read. */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "silent"; readonly why: string };

/** What we need at the API server to ask an istiod; `account`: the ServiceAccount itself. */
export type IstiodRight = "account" | "token" | "portforward";

/** Never rejects for what a server answered, or did not. */
export type AskIstiod = (pod: IstiodPod, trust: IstiodTrust) => Promise<IstiodAnswer>;

/**
 * Asks one pod by its port for proxies, with this token; the API server's answer where it leads nowhere. Rejects with
 * `GrpcRefused` for a status of istiod.
 */
export type ReadStatus = (pod: IstiodPod, trust: IstiodTrust, token: string) => Promise<ApiAnswer | IstiodStatus>;

export interface AskParts {
  readonly send: Send;
  readonly readStatus: ReadStatus;
  /** Real ms. */
  readonly monotonic: () => number;
}

/** Whose token istiod gets: it has no right at the API server, and is in istiod's namespace, which alone reads all proxies. */
export const ISTIOD_ACCOUNT = "meshroll-istiod";
const audience = "istio-ca";
const tokenSeconds = 3_600;
/** A token is renewed when so much of its life is over. */
const renewedAfter = 0.8;
const tokenMs = 10_000;
/** Codes of gRPC. */
const unauthenticated = 16;
const permissionDenied = 7;

/** Something kept from asking; the reader names it. */
class Prevented extends Error {
  readonly answer: Exclude<IstiodAnswer, { readonly kind: "said" }>;

  constructor(answer: Prevented["answer"]) {
    super(answer.why);
    this.answer = answer;
  }
}

function judgeRefusal(answer: ApiAnswer, right: IstiodRight): Prevented {
  const why = readMessage(answer);
  if (answer.status === 403) return new Prevented({ kind: "forbidden", why, right });
  if (answer.status === 404 && right === "token") return new Prevented({ kind: "forbidden", why, right: "account" });
  return new Prevented({ kind: "silent", why });
}

interface TokenAnswer {
  readonly status?: { readonly token?: unknown };
}

async function requestToken(send: Send, namespace: string): Promise<string> {
  const answer = await send({
    method: "POST",
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${ISTIOD_ACCOUNT}/token`,
    contentType: "application/json",
    body: {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { audiences: [audience], expirationSeconds: tokenSeconds },
    },
    timeoutMs: tokenMs,
  });
  const token = (answer.body as TokenAnswer | null)?.status?.token;
  if (answer.status !== 201 || typeof token !== "string") throw judgeRefusal(answer, "token");
  return token;
}

/** Tokens by namespace, each kept until it is due for renewal, or until istiod refused it. */
function createTokens({ send, monotonic }: Pick<AskParts, "send" | "monotonic">) {
  const kept = new Map<string, { readonly token: string; readonly until: number }>();
  return {
    give: async (namespace: string): Promise<string> => {
      const known = kept.get(namespace);
      if (known !== undefined && monotonic() < known.until) return known.token;
      const token = await requestToken(send, namespace);
      kept.set(namespace, { token, until: monotonic() + tokenSeconds * 1000 * renewedAfter });
      return token;
    },
    drop: (namespace: string) => void kept.delete(namespace),
  };
}

function describe(error: unknown): IstiodAnswer {
  if (error instanceof Prevented) return error.answer;
  if (error instanceof GrpcRefused) {
    const isLogin = error.code === unauthenticated || error.code === permissionDenied;
    return { kind: isLogin ? "refused" : "silent", why: error.message };
  }
  return { kind: "silent", why: error instanceof Error ? error.message : String(error) };
}

/** Asks istiods with a token of a ServiceAccount for them alone. */
export function createIstiodAsker({ send, readStatus, monotonic }: AskParts): AskIstiod {
  const tokens = createTokens({ send, monotonic });
  return async (pod, trust) => {
    try {
      const found = await readStatus(pod, trust, await tokens.give(pod.namespace));
      if ("body" in found) throw judgeRefusal(found, "portforward");
      return { kind: "said", status: found };
    } catch (error) {
      // A fault of our own is not istiod's silence.
      if (error instanceof TypeError || error instanceof RangeError) throw error;
      if (error instanceof GrpcRefused && error.code === unauthenticated) tokens.drop(pod.namespace);
      return describe(error);
    }
  };
}
