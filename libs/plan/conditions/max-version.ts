import type { Campaign } from "#libs/campaign";
import { compareVersions, findVersion, parseVersion } from "#libs/fleet";
import { resolveTarget } from "#libs/injection";
import type { Reason } from "#libs/wording";

import type { ClusterSnapshot } from "../records/index.ts";

/**
 * Why a campaign may not bring its target to this cluster: the version of the target's control plane is above `maxVersion`, or
 * unknown. As in Sail, `<=` by semantic versioning.
 */
export function findVersionObstacle(
  { file, target, maxVersion }: Pick<Campaign, "file" | "target" | "maxVersion">,
  { name, facts }: Pick<ClusterSnapshot, "name" | "facts">,
): Reason | undefined {
  if (maxVersion === undefined) return undefined;
  const most = parseVersion(maxVersion);
  if (most === undefined) return { code: "MaxVersionUnreadable", file, maxVersion };
  const revision = resolveTarget(facts, target);
  const known = findVersion(facts.revisions.find((each) => each.name === revision)?.version, revision);
  if (known.version === undefined) return { code: "VersionUnknown", cluster: name, revision, maxVersion, ...known };
  if (compareVersions(known.version, most) <= 0) return undefined;
  const { text: version, by } = known;
  return { code: "VersionAboveMax", cluster: name, revision, version, by, maxVersion, file };
}
