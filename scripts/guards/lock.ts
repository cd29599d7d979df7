import type { Complaint } from "./complaint.ts";

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages?: Readonly<Record<string, LockedPackage>>;
}

const path = "package-lock.json";

/** The folder that contains the folder of a locked package: "" is the root, undefined is above it. */
function findParent(folder: string): string | undefined {
  if (folder === "") return undefined;
  const at = folder.lastIndexOf("/node_modules/");
  return at < 0 ? "" : folder.slice(0, at);
}

/** True when `name` is locked where Node would look for it, starting in `folder`. */
function isLocked(packages: Readonly<Record<string, LockedPackage>>, folder: string, name: string): boolean {
  let place: string | undefined = folder;
  while (place !== undefined) {
    if (packages[`${place === "" ? "" : `${place}/`}node_modules/${name}`] !== undefined) return true;
    place = findParent(place);
  }
  return false;
}

/**
 * Checks the text of package-lock.json: each optional package that a locked one names is locked too (npm drops binaries of
 * other platforms when a registry lacks them, and `npm ci` then fails there), no download address is recorded, and all that is
 * downloaded has a checksum.
 */
export function checkLock(text: string): readonly Complaint[] {
  const packages = (JSON.parse(text) as Lock).packages ?? {};
  return Object.entries(packages).flatMap(([folder, locked]) => {
    const missing = Object.keys(locked.optionalDependencies ?? {}).filter((name) => !isLocked(packages, folder, name));
    const messages = missing.map(
      (name) =>
        `${folder || "the project"} wants ${name}, which is not locked: take a version whose platforms are all served`,
    );
    if (locked.resolved !== undefined && /^[a-z+]+:\/\//.test(locked.resolved)) {
      messages.push(`${folder} records a download address: set omit-lockfile-registry-resolved=true and lock again`);
    }
    if (folder !== "" && locked.link !== true && locked.integrity === undefined) {
      messages.push(`${folder} has no checksum: lock again`);
    }
    return messages.map((message) => ({ path, message }));
  });
}
