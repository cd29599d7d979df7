import { ADMISSION } from "../configmap-names.ts";
import type { AdmissionPolicy, AdmissionRead, Cluster, WriteOutcome } from "../port.ts";
import { type ApiAnswer, type ApiCall, readMessage, type Send, ServerUnreachable } from "../requests/api-call.ts";

/** Reads and writes the parameters of the policy that labels new pods. */
export type AdmissionWriter = Pick<Cluster, "readAdmission" | "applyAdmission" | "findAdmissionPolicy">;

/** A healthy server answers a request for one object within this time, real ms. */
const limitMs = 15_000;

const group = "/apis/admissionregistration.k8s.io/v1";

/** The bindings of the two policies: of pods with a label, and of pods without. */
const bindings: readonly string[] = [ADMISSION, `${ADMISSION}-unlabelled`];

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

interface ResourceList {
  readonly resources?: readonly { readonly name?: unknown }[];
}

/** An API server before 1.36 answers as if the binding were missing: only its list of resources tells the two apart. */
async function findServed(send: Send): Promise<AdmissionPolicy> {
  const listed = await get(send, group);
  if (typeof listed === "string" || (listed.status !== 200 && listed.status !== 404)) return { kind: "unknown" };
  const { resources = [] } = (listed.body ?? {}) as ResourceList;
  if (resources.some(({ name }) => name === "mutatingadmissionpolicies")) return { kind: "unbound" };
  const answer = await get(send, "/version");
  const { gitVersion } = typeof answer === "string" ? {} : (answer.body as { readonly gitVersion?: unknown });
  return { kind: "unserved", ...(typeof gitVersion === "string" ? { version: gitVersion } : {}) };
}

/** Whether the API server has the policies that label new pods; it is asked for their bindings. */
export async function findAdmissionPolicy(send: Send): Promise<AdmissionPolicy> {
  for (const name of bindings) {
    const answer = await get(send, `${group}/mutatingadmissionpolicybindings/${name}`);
    if (typeof answer !== "string" && answer.status === 404) return findServed(send);
    if (typeof answer === "string" || answer.status !== 200) return { kind: "unknown" };
  }
  return { kind: "bound" };
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
    findAdmissionPolicy: async () => findAdmissionPolicy(send),
  };
}
