/**
 * The version of what one process of ours writes and another reads: the ledger, control, inventories, jobs, answers and the
 * entries of ConfigMaps. docs/reference/formats.md says what each version is.
 */
export const newestFormat: number = 2;

/** The first version. What is never rewritten, in the archive or in a ConfigMap, is read however old it is. */
export const firstFormat = 1;

/** The oldest that this build reads: the one before, if there was one. */
export const oldestFormat: number = Math.max(firstFormat, newestFormat - 1);

/**
 * Why something of this version is not read, for people; undefined = it is. Asked before anything else of a text is looked at:
 * what a newer version means by a field is not known.
 */
export function refuseFormat(version: unknown, oldest = oldestFormat): string | undefined {
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) return "it names no version";
  const reads = `this build of meshroll reads ${oldest} to ${newestFormat}`;
  if (version > newestFormat) return `it is of version ${version}, ${reads}: a newer build wrote it, and reads it`;
  if (version < oldest) return `it is of version ${version}, ${reads}: the build between the two comes first`;
  return undefined;
}

/** The version that a value names; undefined for a value without fields, and where it names none. */
export function readVersion(value: unknown): unknown {
  const isRecord = typeof value === "object" && value !== null && Object.hasOwn(value, "version");
  return isRecord ? (value as { readonly version?: unknown }).version : undefined;
}
