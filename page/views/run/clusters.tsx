import { Section } from "../../parts/section.tsx";
import { ShareBar } from "../../parts/share-bar.tsx";
import type { OpenRun } from "./run-facts.ts";

const counts = ["migrated", "idle", "migrating", "pending", "waiting", "skipped", "failed"] as const;

/** The run in each cluster in which it has workloads. */
export function Clusters({ run }: { readonly run: OpenRun }) {
  return (
    <Section id="clusters" title="By cluster" note="workloads that the run has to move, and where they are">
      <div class="scroll" role="region" tabIndex={0} aria-label="Clusters of the run">
        <table>
          <thead>
            <tr>
              <th scope="col">cluster</th>
              <th scope="col" class="number">
                workloads
              </th>
              {counts.map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {run.clusters.map((share) => (
              <tr key={share.cluster}>
                <th scope="row">
                  <bdi>{share.cluster}</bdi>
                </th>
                <td class="number">{share.workloads}</td>
                {counts.map((name) => (
                  <td key={name} class={name === "failed" && share.failed > 0 ? "number warn" : "number"}>
                    {share[name]}
                  </td>
                ))}
                <td>
                  <ShareBar actual={(100 * share.migrated) / Math.max(1, share.workloads)} requested={100} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
