import type { RevisionUse } from "#libs/fleet";

/** Who uses a revision in one cluster, as its API server and its istiods said just now. */
export interface RevisionUsage {
  /** UID of `kube-system`: it distinguishes clusters. */
  readonly uid: string;
  /** Epoch ms by the API server's clock. */
  readonly readAt: number | undefined;
  /** It has an injector webhook of its own there: what is retired. */
  readonly isInstalled: boolean;
  /** Sorted by use and name. */
  readonly uses: readonly RevisionUse[];
  /** Completed and failed pods: nothing of theirs runs, and they go with their owner. */
  readonly ended: readonly RevisionUse[];
  /** What could not be read, in sentences: what is there is not known. */
  readonly unread: readonly string[];
}
