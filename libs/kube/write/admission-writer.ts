import { ADMISSION } from "../configmap-names.ts";
import type { AdmissionRead, Cluster, WriteOutcome } from "../port.ts";
import { type ApiAnswer, type ApiCall, readMessage, type Send, ServerUnreachable } from "../requests/api-call.ts";

/** Reads and writes the parameters of the policy that labels new pods. */
export type AdmissionWriter = Pick<Cluster, "readAdmission" | "applyAdmission" | "hasAdmissionPolicy">;

/** A healthy server answers a request for one object within this time, real ms. */
const limitMs = 15_000;

const binding = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings";

function nameMap(namespace: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/configmaps/${ADMISSION}`;
}

/** Values that are no text were written by another manager, and are replaced. */
function readData(body: unknown): Readonly<Record<string, string>> {
  const { data } = (body ?? {}) as { readonly data?: Readonly<Record<string, unknown>> };
  return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [key, String(value)]));
}

function judge(answer: ApiAnswer): AdmissionRead {
  if (answer.status === 200) return { kind: "read", data: readData(answer.body) };
  if (answer.status === 404) return { kind: "read", data: {} };
  const why = readMessage(answer);
  return { kind: answer.status === 403 ? "refused" : "unavailable", why };
}

async function get(send: Send, path: string): Promise<ApiAnswer | string> {
  try {
    return await send({ method: "GET", path, timeoutMs: limitMs });
  } catch (error) {
    if (error instanceof ServerUnreachable) return error.message;
    throw error;
  }
}

/** `write` sends one call and interprets its answer. */
export function createAdmissionWriter(
  send: Send,
  write: (call: ApiCall) => Promise<WriteOutcome>,
  fieldManager: string,
): AdmissionWriter {
  return {
    readAdmission: async (namespace) => {
      const answer = await get(send, nameMap(namespace));
      return typeof answer === "string" ? { kind: "unavailable", why: answer } : judge(answer);
    },
    applyAdmission: (namespace, data) =>
      write({
        method: "PATCH",
        // Forced: another manager's fields must not keep pods from the revision that main wants.
        path: `${nameMap(namespace)}?fieldManager=${encodeURIComponent(fieldManager)}&force=true`,
        contentType: "application/apply-patch+yaml",
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: ADMISSION, namespace }, data },
        timeoutMs: limitMs,
      }),
    hasAdmissionPolicy: async () => {
      const answer = await get(send, `${binding}/${ADMISSION}`);
      if (typeof answer === "string") return undefined;
      if (answer.status === 200) return true;
      // Also the answer of an API server without such policies.
      return answer.status === 404 ? false : undefined;
    },
  };
}
