import { type Field, isEmptyField, type Reader, readEntries, readFields, reportField } from "./field.ts";
import { readFlag } from "./readers.ts";

/** What the file says of one cluster. */
interface ClusterFields {
  readonly aside: boolean;
}

/** The names that `MESHROLL_CLUSTERS` takes: another one could never be a cluster's. */
const clusterName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

function readCluster(field: Field, name: string): string | undefined {
  if (!clusterName.test(name)) {
    const help = "it is the name in MESHROLL_CLUSTERS, not the kubeconfig's context or an ARN";
    const message = "is not the name of a cluster: small letters, digits and - only";
    return reportField({ ...field, node: null }, message, help, "MR3010");
  }
  const read = readFields<ClusterFields>(field, { aside: readFlag });
  return read?.aside === true ? name : undefined;
}

/** `clusters: {<name>: {aside: true}}`: the names of those that are aside, sorted. */
export const readAsideClusters: Reader<readonly string[]> = (field) => {
  if (isEmptyField(field))
    return reportField(field, "is empty", "write <name>: { aside: true } below it, or remove it");
  const names = (readEntries(field) ?? []).flatMap(({ name, field: child }) => readCluster(child, name) ?? []);
  return names.toSorted();
};
