import type { ArtifactRefusal } from "#libs/wording";

/**
 * Where artifacts lie: a folder, or a web server that serves one. It is not trusted: whatever it answers is checked against signed
 * metadata, and never more is read than that allows.
 */
export interface ArtifactStore {
  /** For messages; without a login. */
  readonly address: string;
  /**
   * The bytes of a file from `offset` on. `path` is relative, with `/`. Throws `StoreUnavailable` (again later), or `NotInStore`.
   */
  read(path: string, offset: number, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** What the store has for one revision and platform, once it was checked; or why nothing of it is installed. */
export type Offer =
  | { readonly kind: "artifact"; readonly artifact: Artifact }
  /** A person has to fix it: what the store serves is not what was signed, or not for this VM. */
  | { readonly kind: "refused"; readonly refusal: ArtifactRefusal }
  /** The store, or the way to it. */
  | { readonly kind: "unavailable"; readonly why: string };

/** One revision for one platform: everything that is switched together. */
export interface Artifact {
  /** sha256 of the manifest, which has the sha256 of each file: names all of it. 64 hex digits. */
  readonly digest: string;
  readonly manifest: Manifest;
  /** The manifest as it was signed. */
  readonly bytes: Uint8Array;
}

/** One file of an artifact. All lie flat next to each other. */
export interface ManifestFile {
  readonly name: string;
  readonly sha256: string;
  /** In bytes. */
  readonly length: number;
  /** 0755 when it is, else 0644: an artifact cannot ask for another mode. */
  readonly executable: boolean;
}

/** The signed list of an artifact's files, and what the agent must know of them. */
export interface Manifest {
  readonly formatVersion: 1;
  readonly revision: string;
  /** As `linux-x64`. */
  readonly platform: string;
  /** `host:port` of the control plane of this revision. */
  readonly discoveryAddress: string;
  /** The file that becomes the proxy's process. */
  readonly start: string;
  /** The file that adds (`up`) and removes (`down`) iptables rules; absent where there are none. */
  readonly rules?: string;
  /** What Envoy calls its hot restart version. A proxy can take over from another one only where both say the same. */
  readonly hotRestart?: string;
  /** The oldest agent that can install it, as `1.2.0`. */
  readonly minimumAgent?: string;
  /** Revisions of which a VM must have run one before: what must not be skipped. Absent or empty = any. */
  readonly after?: readonly string[];
  readonly files: readonly ManifestFile[];
}
