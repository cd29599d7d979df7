import type { BareRemote } from "../fake/bare-remote.ts";
import type { RolloutsRepository } from "../port.ts";

/** One remote, empty at first, and as many clones of it as a test wants. */
export interface RepositorySetup {
  readonly remote: BareRemote;
  /** A clone of its own, as another process would have it; of the same name: the clone of that earlier process. */
  open(name?: string): Promise<RolloutsRepository>;
  close(): Promise<void>;
}
