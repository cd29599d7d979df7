import { lookUp } from "#libs/input";

import type { ClusterFacts } from "../facts.ts";
import { readImageVersion } from "./image-version.ts";
import { parseVersion, type Version } from "./version.ts";

interface Said<By extends string> {
  readonly version: Version;
  readonly text: string;
  readonly by: By;
}

/** A version and what says it, or the text that was reported instead of one. */
type KnownVersion<By extends string> = Said<By> | { readonly version?: undefined; readonly reported?: string };

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

/** Of a revision's control plane: its istiod's report counts; without one, its name. */
export function findVersion(reported: string | undefined, revision: string): KnownVersion<"istiod" | "name"> {
  if (reported !== undefined) {
    const version = parseVersion(reported);
    return version === undefined ? { reported } : { version, text: reported, by: "istiod" };
  }
  const text = readVersionName(revision);
  const version = text === undefined ? undefined : parseVersion(text);
  return text === undefined || version === undefined ? {} : { version, text, by: "name" };
}

/** What a cluster says of its control planes. */
export type Planes = Pick<ClusterFacts, "revisions" | "injection">;

/** The sidecar's image that a dry run with this label, a revision or a tag, brought back last. */
export function findInjectedImage({ injection }: Planes, label: string): string | undefined {
  const proof = lookUp(injection, label);
  return proof === undefined || proof.state === "refused" ? undefined : proof.image;
}

/**
 * As `findVersion`, of a revision in this cluster. Where its istiods do not say one version, as while they are replaced, the sidecar that
 * they inject tells more than the revision's name, which stays as it is when it is upgraded in place.
 */
export function findIstiodVersion(
  planes: Planes,
  revision: string,
  label = revision,
): KnownVersion<"istiod" | "image" | "name"> {
  const said = findVersion(planes.revisions.find(({ name }) => name === revision)?.version, revision);
  if (said.version !== undefined && said.by === "istiod") return said;
  const image = findInjectedImage(planes, label) ?? findInjectedImage(planes, revision);
  const injected = image === undefined ? undefined : readImageVersion(image);
  return injected === undefined ? said : { ...injected, by: "image" as const };
}
