import type { NamespaceTable, TableCluster } from "#libs/plan";

/** Workloads of one revision in one cluster, or of all. */
export interface Figures {
  readonly requested: number;
  readonly actual: number;
  readonly healthy: number;
}

const none: Figures = { requested: 0, actual: 0, healthy: 0 };

/** The revisions with a column of their own: all that are requested or run somewhere, or the chosen one. */
export function listRevisions({ revisions }: Pick<NamespaceTable, "revisions">, chosen: string): readonly string[] {
  return [...revisions].filter((each) => chosen === "" || each === chosen).sort();
}

/** The figures of a cluster for one revision. */
export function findFigures(counted: TableCluster | undefined, revision: string): Figures {
  return counted?.revisions.find((each) => each.revision === revision) ?? none;
}

/** The sums over clusters for one revision. */
export function sumFigures(clusters: readonly TableCluster[], revision: string): Figures {
  const all = clusters.map((each) => findFigures(each, revision));
  const sum = (read: (figures: Figures) => number) => all.reduce((total, each) => total + read(each), 0);
  return {
    requested: sum(({ requested }) => requested),
    actual: sum(({ actual }) => actual),
    healthy: sum(({ healthy }) => healthy),
  };
}

/** `+2`, `−3`: how many more run it than main requests; empty where these are the same. */
export function printDifference({ requested, actual }: Figures): string {
  const difference = actual - requested;
  if (difference === 0) return "";
  return difference > 0 ? `+${difference}` : `−${-difference}`;
}
