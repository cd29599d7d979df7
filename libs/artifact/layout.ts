/** Where things lie in a store. */
export const layout = {
  /** Signed metadata: `1.root.json`, `timestamp.json`, … */
  metadata: "metadata",
  /** Signed manifests. */
  targets: "targets",
  /** Files of artifacts, by their sha256: what two revisions share lies there once. */
  files: "files",
  /** Manifests that `artifact build` wrote and `artifact sign` has not signed yet. */
  unsigned: "unsigned",
} as const;

/** The name of an artifact in signed metadata. */
export function nameTarget(revision: string, platform: string): string {
  return `${revision}/${platform}.json`;
}
