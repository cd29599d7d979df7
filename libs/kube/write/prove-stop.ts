import type { KubeconfigSource } from "../access/find-kubeconfig.ts";
import { KUBECTL_STOP, STOPS_NAMESPACE } from "../configmap-names.ts";
import type { WriteOutcome } from "../port.ts";
import { toOutcome } from "./write-outcome.ts";
import { connect } from "../requests/connection.ts";

/** Real ms for the dry run. */
const limitMs = 10_000;

/**
 * Creates the stop that people place by kubectl, as a dry run: `written` or `conflict` (it exists) prove that it would hold,
 * `gone` that its namespace is missing. Throws `KubeconfigError`, or an error that says why the server gave no answer.
 */
export async function proveStop(kubeconfig: KubeconfigSource): Promise<WriteOutcome> {
  const connection = await connect(kubeconfig, { onBytes: () => undefined, onDate: () => undefined });
  const answer = await connection.send({
    method: "POST",
    path: `/api/v1/namespaces/${STOPS_NAMESPACE}/configmaps?dryRun=All`,
    contentType: "application/json",
    body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: KUBECTL_STOP } },
    timeoutMs: limitMs,
  });
  return toOutcome(answer);
}
