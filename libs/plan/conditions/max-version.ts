import type { Campaign } from "#libs/campaign";
import { resolveTarget } from "#libs/injection";

import { type ClusterSnapshot, compareVersions, parseVersion, type Reason, type Version } from "../records/index.ts";

/** What a version is known by; or why it is not known. */
type Known = { readonly version: Version; readonly text: string; readonly by: string } | { readonly why: string };

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
    const why = `its istiod reports ${JSON.stringify(reported.slice(0, 64))}, which is no version`;
    return version === undefined ? { why } : { version, text: reported, by: "its istiod reports" };
  }
  const text = readVersionName(revision);
  const version = text === undefined ? undefined : parseVersion(text);
  if (text === undefined || version === undefined) {
    return { why: "its istiod did not say, and its name is none either" };
  }
  return { version, text, by: "its istiod did not say, its name means" };
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
  if (most === undefined) {
    const message = `maxVersion ${JSON.stringify(maxVersion)} of ${file} is no version: three numbers, such as 1.25.999`;
    return {
      code: "MaxVersionUnreadable",
      message,
      owner: "the campaign's owner",
      command: `meshroll validate ${file}`,
    };
  }
  const revision = resolveTarget(facts, target);
  const known = findVersion(facts.revisions.find((each) => each.name === revision)?.version, revision);
  const subject = `revision ${revision} in ${name}`;
  const service = revision === "default" ? "istiod" : `istiod-${revision}`;
  if ("why" in known) {
    return {
      code: "VersionUnknown",
      message: `the version of ${subject} is not known (${known.why}), and the campaign goes no further than ${maxVersion}`,
      owner: "the mesh operator",
      command: `kubectl get --raw /api/v1/namespaces/istio-system/services/${service}:15014/proxy/version`,
    };
  }
  if (compareVersions(known.version, most) <= 0) return undefined;
  return {
    code: "VersionAboveMax",
    message: `${subject} is ${known.text} (${known.by} so), above the campaign's maxVersion ${maxVersion}`,
    owner: "the campaign's owner",
    command: `a pull request that raises maxVersion in ${file}`,
  };
}
