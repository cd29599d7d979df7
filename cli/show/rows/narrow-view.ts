import { type LabelRequirement, matchLabels } from "#libs/campaign";
import {
  type ClusterSnapshot,
  type Failure,
  type JudgedWorkload,
  listFleetFailures,
  listFleetSkipped,
  type Skipped,
  type SkippedItem,
} from "#libs/plan";

import type { LocalEvaluation } from "../../read/status-source.ts";

/** The workloads of the fleet, or of a part of it. */
export interface FleetWorkloads extends Pick<LocalEvaluation, "snapshot"> {
  readonly evaluation: { readonly judged: ReadonlyMap<string, Iterable<JudgedWorkload>> };
}

/** A skipped workload with what is shown of it. */
export interface SkippedRow extends Pick<Skipped, "judged" | "isNeighbour"> {
  readonly item: SkippedItem;
}

/** The data for rows. */
export interface FleetView extends FleetWorkloads {
  readonly failures: readonly Failure[];
  readonly skipped: readonly SkippedRow[];
  readonly part: FleetPart;
}

/** The requested part of the fleet; absent = all. */
export interface FleetPart {
  readonly cluster?: string;
  readonly namespace?: string;
  /** On the namespace's labels: the inventory has only those of workloads that injection reads. */
  readonly labels?: readonly LabelRequirement[];
}

/** The part of the fleet, for listings of its workloads. */
export function narrowView(view: LocalEvaluation, part: FleetPart): FleetView {
  const { cluster, namespace, labels } = part;
  const isNamespaceMeant = (name: string, own: Readonly<Record<string, string>>): boolean =>
    (namespace === undefined || name === namespace) && (labels === undefined || matchLabels(labels, own));
  const isMeant = ({ workload, inventory }: JudgedWorkload): boolean =>
    isNamespaceMeant(workload.namespace, inventory.namespace.labels);
  const narrowNamespaces = (all: ClusterSnapshot["namespaces"]): ClusterSnapshot["namespaces"] => {
    if (namespace === undefined && labels === undefined) return all;
    return new Map([...all].filter(([name, inventory]) => isNamespaceMeant(name, inventory.namespace.labels)));
  };
  const judged = [...view.evaluation.judged].filter(([name]) => cluster === undefined || name === cluster);
  const clusters = [...view.snapshot.clusters]
    .filter(([name]) => cluster === undefined || name === cluster)
    .map(([name, each]) => [name, { ...each, namespaces: narrowNamespaces(each.namespaces) }] as const);
  const isPart = (each: JudgedWorkload) => (cluster === undefined || each.cluster === cluster) && isMeant(each);
  return {
    part,
    failures: listFleetFailures(view.evaluation, view.head, view.snapshot).filter(({ failed }) =>
      isPart(failed.judged),
    ),
    skipped: listFleetSkipped(view.evaluation, view.snapshot)
      .filter((each) => isPart(each.judged))
      .map(({ render, ...each }) => ({ ...each, item: render() })),
    snapshot: { ...view.snapshot, clusters: new Map(clusters) },
    evaluation: { judged: new Map(judged.map(([name, index]) => [name, [...index].filter(isMeant)])) },
  };
}
