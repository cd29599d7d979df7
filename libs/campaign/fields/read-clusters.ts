import { defineReader, isEmptyField, type Reader, reportField } from "./field.ts";
import { readEntries, readFields } from "./read-fields.ts";
import { readFlag } from "./readers.ts";

/** What the file says of one cluster. */
interface ClusterFields {
  readonly excluded: boolean;
}

/** The names that `MESHROLL_CLUSTERS` takes: another one could never be a cluster's. */
export const clusterName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

const readCluster = readFields<ClusterFields>({ excluded: readFlag });

/** `clusters: {<name>: {excluded: true}}`: the names of those that are excluded, sorted. */
export const readExcludedClusters: Reader<readonly string[]> = defineReader(
  { type: "object", propertyNames: { pattern: clusterName.source }, additionalProperties: readCluster.schema },
  (field) => {
    if (isEmptyField(field)) {
      return reportField(field, "is empty", "write <name>: { excluded: true } below it, or remove it");
    }
    const names = (readEntries(field) ?? []).flatMap(({ name, field: child }) => {
      if (clusterName.test(name)) return readCluster(child)?.excluded === true ? [name] : [];
      const help = "it is the name in MESHROLL_CLUSTERS, not the kubeconfig's context or an ARN";
      const message = "is not the name of a cluster: small letters, digits and - only";
      reportField({ ...child, node: null }, message, help, "MR3010");
      return [];
    });
    return names.toSorted();
  },
);
