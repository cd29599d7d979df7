import type { Campaign } from "#libs/campaign";
import { resolveTarget } from "#libs/injection";
import type { Reason } from "#libs/wording";

import { type ClusterSnapshot, compareVersions, parseVersion, type Version } from "../records/index.ts";

/** The source of a version, or the text that was reported instead. */
type Known =
  | { readonly version: Version; readonly text: string; readonly by: "istiod" | "name" }
  | { readonly version?: undefined; readonly reported?: string };

/**
 * The version in a revision's name: `1-25-2`, `v1-25-2`, Sail's `default-v1-26-0`, `1-26-0-rc-1`. Undefined where preceding
 * digits could belong to it, or where anything else follows.
 */
const named = /^(?:\D*-|[^-]+(?:-[^-]+)*-(?=v))?v?(\d+)[-.](\d+)[-.](\d+)(?:[-.](alpha|beta|rc)[-.]?(\d+))?$/;

/** @internal */
export function readVersionName(revision: string): string | undefined {
  const [, major, minor, patch, stage, count] = named.exec(revision) ?? [];
  if (major === undefined) return undefined;
  return `${major}.${minor}.${patch}${stage === undefined ? "" : `-${stage}.${count}`}`;
}

/** Its istiod's report counts; without one, its name. */
function findVersion(reported: string | undefined, revision: string): Known {
  if (reported !== undefined) {
    const version = parseVersion(reported);
    return version === undefined ? { reported } : { version, text: reported, by: "istiod" };
  }
  const text = readVersionName(revision);
  const version = text === undefined ? undefined : parseVersion(text);
  return text === undefined || version === undefined ? {} : { version, text, by: "name" };
}

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
