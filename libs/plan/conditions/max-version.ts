import type { Campaign } from "#libs/campaign";
import { resolveTarget } from "#libs/injection";
import type { Reason } from "#libs/wording";

import { type ClusterSnapshot, compareVersions, parseVersion, type Version } from "../records/index.ts";

/** What a version is known by; or what was reported instead of one. */
type Known =
  | { readonly version: Version; readonly text: string; readonly by: "istiod" | "name" }
  | { readonly version?: undefined; readonly reported?: string };

/**
 * The version that people put into a revision's name: `1-25-2`, `v1-25-2`, Sail's `default-v1-26-0`, `1-26-0-rc-1`. Where
 * digits before it could be a part of it, or anything else follows, it is not known.
 */
const named = /^(?:\D*-|[^-]+(?:-[^-]+)*-(?=v))?v?(\d+)[-.](\d+)[-.](\d+)(?:[-.](alpha|beta|rc)[-.]?(\d+))?$/;

/** @internal */
export function readVersionName(revision: string): string | undefined {
  const [, major, minor, patch, stage, count] = named.exec(revision) ?? [];
  if (major === undefined) return undefined;
  return `${major}.${minor}.${patch}${stage === undefined ? "" : `-${stage}.${count}`}`;
}

/** What its istiod reports counts; only where it reports nothing, its name does. */
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
 * Why a campaign may not bring its target to this cluster: the version of the target's control plane is above `maxVersion`,
 * or not known. Sail's rule (`<=` of semantic versioning), asked of the istiod that stands there.
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
