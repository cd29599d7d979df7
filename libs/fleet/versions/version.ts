/** A semantic version; build metadata after `+` does not affect the order and is dropped. */
export interface Version {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  /** Pre-release identifiers in order; empty = a release. */
  readonly preRelease: readonly string[];
}

/** Longer than any real version, and short enough that all numbers in it are exact. */
const longest = 128;
const form =
  /^v?(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;
/** Istio's development builds between two minors, which precede the minor's first release. */
const development = /^v?(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)$/;

function make(major: string, minor: string, patch: string, preRelease: string | undefined): Version {
  const numbers = [Number(major), Number(minor), Number(patch)] as const;
  return { numbers, preRelease: preRelease?.split(".") ?? [] };
}

/** `1.25.2`, `v1.25.2`, `1.26.0-rc.1`, `1.30-alpha.9f2c`; undefined for other texts: a missing patch number is not guessed. */
export function parseVersion(text: string): Version | undefined {
  if (text.length > longest) return undefined;
  const [, major, minor, patch, preRelease] = form.exec(text) ?? [];
  if (major !== undefined && minor !== undefined && patch !== undefined) return make(major, minor, patch, preRelease);
  const [, ahead, next, built] = development.exec(text) ?? [];
  return ahead === undefined || next === undefined ? undefined : make(ahead, next, "0", built);
}

function isNumber(identifier: string): boolean {
  return /^\d+$/.test(identifier);
}

/** Numbers by value and before words, words by their bytes. */
function compareIdentifiers(a: string, b: string): number {
  if (isNumber(a) && isNumber(b)) return Math.sign(Number(a) - Number(b));
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}

function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  // A release follows its pre-releases.
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (const [index, identifier] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(identifier, other);
    if (order !== 0) return order;
  }
  return a.length === b.length ? 0 : -1;
}

/** Below 0 when `a` precedes `b` by semantic versioning. */
export function compareVersions(a: Version, b: Version): number {
  for (const index of [0, 1, 2] as const) {
    const order = Math.sign(a.numbers[index] - b.numbers[index]);
    if (order !== 0) return order;
  }
  return comparePreReleases(a.preRelease, b.preRelease);
}
