import { type LabelRequirement, matchLabels } from "#libs/campaign";
import type { JudgedWorkload } from "#libs/plan";

import type { LocalEvaluation } from "../../read/status-source.ts";

/** What rows are made from: the fleet, or a part of it. */
export interface FleetView extends Pick<LocalEvaluation, "snapshot"> {
  readonly evaluation: { readonly judged: ReadonlyMap<string, Iterable<JudgedWorkload>> };
}

/** Which part of the fleet is meant; absent = all of it. */
export interface FleetPart {
  readonly cluster?: string;
  readonly namespace?: string;
  /** Of the namespace's labels: the inventory has those of workloads only as far as injection reads them. */
  readonly labels?: readonly LabelRequirement[];
}

/** The fleet's part, for the listings that go over its workloads. */
export function narrowView(view: FleetView, { cluster, namespace, labels }: FleetPart): FleetView {
  const isMeant = ({ workload, inventory }: JudgedWorkload): boolean =>
    (namespace === undefined || workload.namespace === namespace) &&
    (labels === undefined || matchLabels(labels, inventory.namespace.labels));
  const judged = [...view.evaluation.judged].filter(([name]) => cluster === undefined || name === cluster);
  const clusters = [...view.snapshot.clusters].filter(([name]) => cluster === undefined || name === cluster);
  return {
    snapshot: { ...view.snapshot, clusters: new Map(clusters) },
    evaluation: { judged: new Map(judged.map(([name, index]) => [name, [...index].filter(isMeant)])) },
  };
}
