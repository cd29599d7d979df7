import type { FleetStatus, TableCluster } from "#libs/plan";

import { choose, readChoice } from "../../live/address.ts";
import { table } from "../../live/namespaces.ts";
import {
  type Figures,
  findFigures,
  listRevisions,
  printDifference,
  sumFigures,
} from "../../model/fleet/cluster-figures.ts";
import { printDuration } from "../../model/duration.ts";
import { FilterLink } from "../../parts/choices/filter-link.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Section } from "../../parts/section.tsx";
import { Select } from "../../parts/choices/select.tsx";

type Cluster = FleetStatus["clusters"][number];

/** Where it was not seen for too long: its figures are unknown. */
function listStale({ fresh, ageSeconds }: Cluster): readonly string[] {
  if (fresh) return [];
  return [
    ageSeconds === undefined ? "never seen: unknown" : `not seen for ${printDuration(ageSeconds * 1000)}: unknown`,
  ];
}

function Count({ count, warn = false }: { readonly count: number; readonly warn?: boolean }) {
  if (count === 0) return <td class="number none">0</td>;
  return <td class={warn ? "number warn" : "number"}>{count}</td>;
}

/** What main requests, what runs, and how many of these lack no pods. */
function FigureCells({ figures }: { readonly figures: Figures }) {
  const { requested, actual, healthy } = figures;
  const difference = printDifference(figures);
  return (
    <>
      <td class={requested === 0 ? "number none begins" : "number begins"}>{requested}</td>
      <td class={difference !== "" ? "number differs" : actual === 0 ? "number none" : "number"}>
        {actual}
        {difference === "" ? null : <span class="difference"> {difference}</span>}
      </td>
      <td class={healthy < actual ? "number warn" : healthy === 0 ? "number none" : "number"}>{healthy}</td>
    </>
  );
}

interface RowProps {
  readonly cluster: Cluster;
  readonly counted: TableCluster | undefined;
  readonly revisions: readonly string[];
  readonly batch: string | undefined;
}

function Row({ cluster, counted, revisions, batch }: RowProps) {
  const problems = [...listStale(cluster), ...cluster.problems];
  return (
    <>
      <tr>
        <th scope="row">
          <FilterLink choices={{ cluster: cluster.name }}>
            <bdi>{cluster.name}</bdi>
          </FilterLink>
          {cluster.mode === "observe" ? <span class="tag">read-only</span> : null}
        </th>
        {revisions.map((revision) => (
          <FigureCells key={revision} figures={findFigures(counted, revision)} />
        ))}
        <Count count={counted?.mixed ?? 0} />
        <Count count={cluster.rolling} />
        <Count count={cluster.unhealthy} warn />
        <td>{batch ?? <span class="quiet">nothing</span>}</td>
      </tr>
      {problems.length === 0 ? null : (
        <tr>
          <td colSpan={revisions.length * 3 + 5} class="problem">
            <Mark kind="failed" /> <bdi>{problems.join("; ")}</bdi>
          </td>
        </tr>
      )}
    </>
  );
}

const columns = ["requested", "actual", "healthy"] as const;

function Head({ revisions }: Pick<RowProps, "revisions">) {
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={2}>
          cluster
        </th>
        {revisions.map((revision) => (
          <th key={revision} scope="colgroup" colSpan={3} class="begins">
            <code>
              <bdi>{revision}</bdi>
            </code>
          </th>
        ))}
        <th scope="col" rowSpan={2} class="number begins">
          several revisions
        </th>
        <th scope="col" rowSpan={2} class="number">
          restarting
        </th>
        <th scope="col" rowSpan={2} class="number">
          lack pods
        </th>
        <th scope="col" rowSpan={2}>
          at work
        </th>
      </tr>
      <tr>
        {revisions.map((revision) =>
          columns.map((what) => (
            <th key={`${revision} ${what}`} scope="col" class={what === "requested" ? "number begins" : "number"}>
              {what}
            </th>
          )),
        )}
      </tr>
    </thead>
  );
}

/** The sums of the clusters that are shown, where there are several. */
function Sums({ shown, revisions }: Pick<RowProps, "revisions"> & { readonly shown: readonly Cluster[] }) {
  if (shown.length < 2) return null;
  const names = new Set(shown.map(({ name }) => name));
  const counted = (table.value?.clusters ?? []).filter(({ name }) => names.has(name));
  const sum = (read: (cluster: Cluster) => number) => shown.reduce((total, each) => total + read(each), 0);
  return (
    <tr class="sums">
      <th scope="row">all {shown.length}</th>
      {revisions.map((revision) => (
        <FigureCells key={revision} figures={sumFigures(counted, revision)} />
      ))}
      <Count count={counted.reduce((total, { mixed }) => total + mixed, 0)} />
      <Count count={sum(({ rolling }) => rolling)} />
      <Count count={sum(({ unhealthy }) => unhealthy)} warn />
      <td />
    </tr>
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
  const [cluster, revision] = [readChoice("cluster"), readChoice("revision")];
  const revisions = listRevisions({ revisions: counted?.revisions ?? [] }, revision);
  const shown = status.clusters.filter(({ name }) => cluster === "" || name === cluster);
  const isFiltered = cluster !== "" || revision !== "";
  return (
    <Section
      id="clusters"
      title="Clusters"
      note="workloads by the revision that is requested, that runs, and of those the ones that lack no pods"
    >
      <div class="filters">
        <Select name="cluster" label="cluster" options={status.clusters.map(({ name }) => name)} />
        <Select name="revision" label="revision" options={counted?.revisions ?? []} />
        {isFiltered ? (
          <button type="button" class="plain-button" onClick={() => choose({ cluster: "", revision: "" })}>
            Show all
          </button>
        ) : null}
      </div>
      <div class="scroll tall" role="region" tabIndex={0} aria-label="Clusters">
        <table class="numbers clusters">
          <Head revisions={revisions} />
          <tbody>
            <Sums shown={shown} revisions={revisions} />
            {shown.map((each) => (
              <Row
                key={each.name}
                cluster={each}
                counted={counted?.clusters.find(({ name }) => name === each.name)}
                revisions={revisions}
                batch={nameBatch(status, each.name)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
