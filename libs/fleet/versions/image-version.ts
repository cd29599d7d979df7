import { parseVersion, type Version } from "./version.ts";

/** Another build of the same version: Istio adds the type to the injected image's tag (`proxyImageType`). */
const variant = /-(?:debug|distroless)$/;

/** The image without the type of its build: two of them are the same proxy. */
export function nameProxy(image: string): string {
  return image.replace(variant, "");
}

/** The version in a proxy image's tag; undefined for a digest alone, a word as `latest`, or no tag. */
export function readImageVersion(image: string): { readonly version: Version; readonly text: string } | undefined {
  const [name = ""] = image.split("@");
  const [, tag] = /:([^:/]+)$/.exec(name) ?? [];
  if (tag === undefined) return undefined;
  const text = nameProxy(tag);
  // A tag for all patches of a minor, as 1.29.
  const version = parseVersion(text) ?? parseVersion(`${text}.0`);
  return version === undefined ? undefined : { version, text };
}

/** Whether a proxy and its istiod are more than one minor apart, in either direction. */
export function isSkewed(proxy: Version, istiod: Version): boolean {
  const [major, minor] = proxy.numbers;
  return major !== istiod.numbers[0] || Math.abs(minor - istiod.numbers[1]) > 1;
}
