/**
 * The version of what one process of ours writes and another reads: the ledger, control, inventories, jobs, answers and the
 * entries of ConfigMaps (docs/reference/formats.md).
 */
export const formatVersion = 1 as const;

/**
 * Why something of this version is not read, for people; undefined = it is. Asked before anything else of a text is looked at:
 * what another version means by a field is not known.
 */
export function refuseFormat(version: unknown): string | undefined {
  if (version === formatVersion) return undefined;
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) return "it names no version";
  return `it is of version ${version} and this build of meshroll reads version ${formatVersion}: install the build that wrote it`;
}

/** The version that a value names; undefined for a value without fields, and where it names none. */
export function readVersion(value: unknown): unknown {
  const isRecord = typeof value === "object" && value !== null && Object.hasOwn(value, "version");
  return isRecord ? (value as { readonly version?: unknown }).version : undefined;
}
