import { isMap } from "yaml";

import { annotate, defineReader, isEmptyField, type Reader, refine, reportField } from "./field.ts";
import { readEntries, readFields } from "./read-fields.ts";
import { readChoice, readFlag, readForm } from "./readers.ts";
import type { ControlPlaneSettings, DriftPolicy } from "../settings/settings.ts";

/** Settings of one cluster. */
interface ClusterFields {
  readonly excluded: boolean;
  readonly controlPlane: ControlPlaneSettings;
  readonly drift: DriftPolicy;
}

/** Settings of all clusters. */
export interface ClustersFields {
  /** Names of those with `excluded: true`, sorted. */
  readonly excluded: readonly string[];
  /** By the cluster's name. */
  readonly controlPlanes: Readonly<Record<string, ControlPlaneSettings>>;
  readonly drift: ReadonlyMap<string, DriftPolicy>;
}

/** The names that `MESHROLL_CLUSTERS` accepts. */
export const clusterName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const labelForm =
  /^(?:[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?=[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?$/;

/** `report`: drift is shown. `converge`: it is corrected automatically. */
export const readDriftPolicy: Reader<DriftPolicy> = annotate(
  readChoice("report", "converge"),
  "What becomes of a workload that differs from main and that no run moves: report shows it, converge brings it back.",
  "report",
);

const readControlPlane = refine(
  readFields<ControlPlaneSettings>({
    cluster: annotate(
      readForm(clusterName, 63, "the name of a cluster", "it is a name in MESHROLL_CLUSTERS"),
      "The cluster in which its istiods run, where it is not this one.",
    ),
    namespace: annotate(
      readForm(clusterName, 63, "the name of a namespace"),
      "Namespace of the istiod Deployments; default: that of the Service that the injector webhook calls.",
    ),
    label: annotate(
      readForm(labelForm, 400, "one label with its value, such as app=istiod"),
      "A label of the istiod Deployments and of their pods.",
      "app=istiod",
    ),
  }),
  (place, field) => {
    if (Object.keys(place).length > 0) return place;
    // Errors inside were reported already.
    if (!isMap(field.node) || field.node.items.length > 0) return undefined;
    return reportField(field, "is empty", "write cluster, namespace or label below it, or remove it");
  },
);

const readCluster = readFields<ClusterFields>({
  excluded: annotate(readFlag, "`true`: runs neither wait for it nor move anything in it.", false),
  controlPlane: annotate(
    readControlPlane,
    "Where its control planes run, if not in this cluster as Istio's chart installs them.",
  ),
  drift: readDriftPolicy,
});

/** `clusters: {<name>: {excluded: true, drift: converge}}`. */
export const readClusters: Reader<ClustersFields> = defineReader(
  { type: "object", propertyNames: { pattern: clusterName.source }, additionalProperties: readCluster.schema },
  (field) => {
    if (isEmptyField(field)) {
      return reportField(field, "is empty", "write <name>: { excluded: true } below it, or remove it");
    }
    const read = (readEntries(field) ?? []).flatMap(({ name, field: child }) => {
      if (clusterName.test(name)) return { name, ...readCluster(child) };
      const help = "it is the name in MESHROLL_CLUSTERS, not the kubeconfig's context or an ARN";
      const message = "is not the name of a cluster: small letters, digits and - only";
      reportField({ ...child, node: null }, message, help, "MR3010");
      return [];
    });
    const placed = read.flatMap(({ name, controlPlane }) =>
      controlPlane === undefined ? [] : [[name, controlPlane] as const],
    );
    const excluded = read.filter(({ excluded: isExcluded }) => isExcluded === true).map(({ name }) => name);
    const policies = read.flatMap(({ name, drift }) => (drift === undefined ? [] : [[name, drift] as const]));
    const controlPlanes = Object.fromEntries(placed);
    return { excluded: excluded.toSorted(), controlPlanes, drift: new Map(policies) };
  },
);
