import type { KubeconfigSource } from "../access/find-kubeconfig.ts";
import type { AdmissionPolicy } from "../port.ts";
import { connect } from "../requests/connection.ts";
import { findAdmissionPolicy } from "./admission-writer.ts";

/** Whether the policies that label new pods are in force behind this kubeconfig. Throws `KubeconfigError`. */
export async function readAdmissionPolicy(kubeconfig: KubeconfigSource): Promise<AdmissionPolicy> {
  const connection = await connect(kubeconfig, { onBytes: () => undefined, onDate: () => undefined });
  return findAdmissionPolicy(async (call) => connection.send(call));
}
