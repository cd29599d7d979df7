import type { StringMap, Template } from "./objects.ts";

/** Kubernetes' alphabet for generated names: no vowels and nothing that looks alike. */
const SAFE = "bcdfghjklmnpqrstvwxz2456789";

/** The hash of equal templates is equal, so a template that is put back finds its old ReplicaSet again. */
export function hashTemplate({ labels, annotations, hostNetwork, image, proxyImage }: Template): string {
  const own = proxyImage === undefined ? [] : [proxyImage];
  const text = JSON.stringify([sortEntries(labels), sortEntries(annotations), hostNetwork, image, ...own]);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0)
    .toString()
    .split("")
    .map((digit) => SAFE[Number(digit)] ?? digit)
    .join("");
}

/** Five letters that tell pods of one set apart. */
export function nameSuffix(serial: number): string {
  let rest = serial;
  let suffix = "";
  for (let place = 0; place < 5; place++) {
    suffix = (SAFE[rest % SAFE.length] ?? "x") + suffix;
    rest = Math.floor(rest / SAFE.length);
  }
  return suffix;
}

function sortEntries(map: StringMap): [string, string][] {
  return Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
