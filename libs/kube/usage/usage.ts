import type { InstalledObject, RevisionUse } from "#libs/fleet";

/** What uses a revision in one cluster, as its API server and its istiods just answered. */
export interface RevisionUsage {
  /** UID of `kube-system`, by which clusters are told apart. */
  readonly uid: string;
  /** Epoch ms by the API server's clock. */
  readonly readAt: number | undefined;
  /** The revision has an injector webhook of its own in this cluster. */
  readonly isInstalled: boolean;
  /** Sorted by use and name. */
  readonly uses: readonly RevisionUse[];
  /** Completed and failed pods: nothing runs in them, and they are removed with their owner. */
  readonly ended: readonly RevisionUse[];
  /** Its control plane's objects, in the order in which they can be deleted. */
  readonly installed: readonly InstalledObject[];
  /** Kinds of those that could not be read, in sentences. */
  readonly installedUnread: readonly string[];
  /** What could not be read, in sentences. It may contain further uses. */
  readonly unread: readonly string[];
}
