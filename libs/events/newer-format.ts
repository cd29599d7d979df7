import { newestFormat, readVersion, refuseFormat } from "#libs/input";

/** Why a text of the bus is not read, where a newer build wrote it; undefined for every other text. */
export function findNewer(text: string): string | undefined {
  try {
    const version = readVersion(JSON.parse(text));
    return typeof version === "number" && version > newestFormat ? refuseFormat(version) : undefined;
  } catch {
    // No JSON: no build of ours wrote it.
    return undefined;
  }
}
