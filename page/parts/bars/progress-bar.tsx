import type { CampaignStatus } from "#libs/plan";

type Counts = Pick<
  CampaignStatus["counts"],
  "workloads" | "migrated" | "idle" | "migrating" | "skipped" | "pending" | "waiting"
>;

/** How far the workloads of a run are; the figures are next to it as text. */
export function ProgressBar({ counts }: { readonly counts: Counts }) {
  const { workloads, migrated, idle, migrating, skipped } = counts;
  const share = (count: number) => ({ width: `${workloads === 0 ? 0 : (100 * count) / workloads}%` });
  return (
    <span class="bar progress" aria-hidden="true">
      <span class="part-done" style={share(migrated + idle)} />
      <span class="part-moving" style={share(migrating)} />
      <span class="part-skipped" style={share(skipped)} />
    </span>
  );
}
