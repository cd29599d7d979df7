import type { FleetStatus, TableCluster } from "#libs/plan";

import { table } from "../../live/namespaces.ts";
import { printDuration } from "../../model/duration.ts";
import { Mark } from "../../parts/mark.tsx";
import { Section } from "../../parts/section.tsx";

type Cluster = FleetStatus["clusters"][number];

function Freshness({ cluster }: { readonly cluster: Cluster }) {
  if (cluster.fresh) return <span class="quiet">seen {cluster.ageSeconds} s ago</span>;
  if (cluster.ageSeconds === undefined)
    return (
      <span class="warn">
        <Mark kind="failed" /> never seen: unknown
      </span>
    );
  return (
    <span class="warn">
      <Mark kind="failed" /> not seen for {printDuration(cluster.ageSeconds * 1000)}: unknown
    </span>
  );
}

interface RowProps {
  readonly cluster: Cluster;
  readonly counted: TableCluster | undefined;
  readonly revisions: readonly string[];
  readonly batch: string | undefined;
}

function Row({ cluster, counted, revisions, batch }: RowProps) {
  const found = new Map(counted?.revisions.map((each) => [each.revision, each]));
  return (
    <>
      <tr>
        <th scope="row">
          <bdi>{cluster.name}</bdi>
          {cluster.mode === "observe" ? <span class="tag">read-only</span> : null}
          <br />
          <Freshness cluster={cluster} />
        </th>
        {revisions.map((revision) => {
          const { requested = 0, actual = 0, healthy = 0 } = found.get(revision) ?? {};
          return [
            <td key={`${revision} requested`} class="number">
              {requested}
            </td>,
            <td key={`${revision} actual`} class={requested === actual ? "number" : "number differs"}>
              {actual}
            </td>,
            <td key={`${revision} healthy`} class={healthy === actual ? "number" : "number warn"}>
              {healthy}
            </td>,
          ];
        })}
        <td class="number">{cluster.rolling}</td>
        <td class="number">{cluster.unhealthy}</td>
        <td>{batch ?? <span class="quiet">none</span>}</td>
      </tr>
      {cluster.problems.length === 0 ? null : (
        <tr>
          <td colSpan={revisions.length * 3 + 4} class="warn">
            {cluster.problems.join("; ")}
          </td>
        </tr>
      )}
    </>
  );
}

function Head({ revisions }: Pick<RowProps, "revisions">) {
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={2}>
          cluster
        </th>
        {revisions.map((revision) => (
          <th key={revision} scope="colgroup" colSpan={3}>
            <code>{revision}</code>
          </th>
        ))}
        <th scope="col" rowSpan={2}>
          restarting
        </th>
        <th scope="col" rowSpan={2}>
          unhealthy
        </th>
        <th scope="col" rowSpan={2}>
          at work
        </th>
      </tr>
      <tr>
        {revisions.map((revision) =>
          ["requested", "actual", "healthy"].map((what) => (
            <th key={`${revision} ${what}`} scope="col">
              {what}
            </th>
          )),
        )}
      </tr>
    </thead>
  );
}

/** Which batch a cluster works at. */
function nameBatch({ campaigns = [], rollouts }: FleetStatus, name: string): string | undefined {
  const found = campaigns.flatMap((campaign) => campaign.rollouts).find(({ cluster }) => cluster === name);
  if (found !== undefined) return `batch ${found.batch} of ${found.of}, ${found.migrating} restarting`;
  const rolling = rollouts.find(({ cluster }) => cluster === name);
  return rolling === undefined ? undefined : `${rolling.workloads.length} restarting`;
}

/** Workloads by cluster and revision, with a column each for what main wants, what runs, and what is healthy. */
export function Clusters({ status }: { readonly status: FleetStatus }) {
  const counted = table.value;
  const revisions = [...(counted?.revisions ?? [])].sort();
  return (
    <Section
      id="clusters"
      title="Clusters"
      note="workloads by the revision that is requested, that runs, and that is healthy"
    >
      <div class="scroll" role="region" tabIndex={0} aria-label="Clusters">
        <table>
          <Head revisions={revisions} />
          <tbody>
            {status.clusters.map((cluster) => (
              <Row
                key={cluster.name}
                cluster={cluster}
                counted={counted?.clusters.find(({ name }) => name === cluster.name)}
                revisions={revisions}
                batch={nameBatch(status, cluster.name)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
