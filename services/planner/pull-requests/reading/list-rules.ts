import type { ApprovalRule } from "#libs/campaign";
import { findNewestSpec, type Snapshot } from "#libs/plan";

/** Every rule about approvals that main has: the one of `meshroll.yml`, and those of all stages. */
export function listApprovalRules(snapshot: Snapshot): readonly ApprovalRule[] {
  const spec = findNewestSpec(snapshot);
  if (spec === undefined) return [];
  const stages = [...spec.campaigns.values()].flatMap((campaign) => campaign.stages);
  return [spec.settings, ...stages.map(({ settings }) => settings)].map(({ approvals }) => approvals);
}
