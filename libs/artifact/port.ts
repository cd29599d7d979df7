import type { ArtifactRefusal } from "#libs/wording";

/**
 * A folder of artifacts, or a web server that serves one. It is not trusted: each answer is checked against signed metadata,
 * and read up to the signed length.
 */
export interface ArtifactStore {
  /** For messages; without a login. */
  readonly address: string;
  /**
   * The bytes of a file from `offset` on. `path` is relative, with `/`. Throws `StoreUnavailable` (again later), or `NotInStore`.
   */
  read(path: string, offset: number, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** What the store has for a revision and platform, after the checks; or why it cannot be installed. */
export type Offer =
  | { readonly kind: "artifact"; readonly artifact: Artifact }
  /** What the store serves is not what was signed, or not for this VM. A person must fix it. */
  | { readonly kind: "refused"; readonly refusal: ArtifactRefusal }
  /** The store cannot be reached. */
  | { readonly kind: "unavailable"; readonly why: string };

/** One revision for one platform: everything that is switched together. */
export interface Artifact {
  /** sha256 of the manifest, which contains the sha256 of each file. 64 hex digits. */
  readonly digest: string;
  readonly manifest: Manifest;
  /** The manifest as it was signed. */
  readonly bytes: Uint8Array;
}

/** One file of an artifact. All are in one folder. */
export interface ManifestFile {
  readonly name: string;
  readonly sha256: string;
  /** In bytes. */
  readonly length: number;
  /** 0755 when it is, else 0644: an artifact cannot ask for another mode. */
  readonly executable: boolean;
}

/** The signed list of an artifact's files, and what the agent needs to know. */
export interface Manifest {
  readonly formatVersion: 1;
  readonly revision: string;
  /** As `linux-x64`. */
  readonly platform: string;
  /** `host:port` of the control plane of this revision. */
  readonly discoveryAddress: string;
  /** The file that is started as the proxy. */
  readonly start: string;
  /** The file that adds (`up`) and removes (`down`) iptables rules; absent where there are none. */
  readonly rules?: string;
  /** Envoy's hot restart version. A proxy takes over from another only where both have the same. */
  readonly hotRestart?: string;
  /** The oldest agent that can install it, as `1.2.0`. */
  readonly minimumAgent?: string;
  /** Revisions of which a VM must have run one before. Absent or empty = any. */
  readonly after?: readonly string[];
  readonly files: readonly ManifestFile[];
}
