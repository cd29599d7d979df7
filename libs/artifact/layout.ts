/** Where things lie in a store. */
export const layout = {
  /** Signed metadata: `1.root.json`, `timestamp.json`, … */
  metadata: "metadata",
  /** Signed manifests. */
  targets: "targets",
  /** Files of artifacts by sha256; a file of two revisions is stored once. */
  files: "files",
  /** Manifests of `artifact build` that `artifact sign` has not signed yet. */
  unsigned: "unsigned",
} as const;

/** The name of an artifact in signed metadata. */
export function nameTarget(revision: string, platform: string): string {
  return `${revision}/${platform}.json`;
}
