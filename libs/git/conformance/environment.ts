import type { BareRemote } from "../fake/bare-remote.ts";
import type { RolloutsRepository } from "../port.ts";

/** One remote, empty at first, and any number of clones of it. */
export interface RepositorySetup {
  readonly remote: BareRemote;
  /** A new clone, as of another process; with a name that was used before: that process's clone. */
  open(name?: string): Promise<RolloutsRepository>;
  close(): Promise<void>;
}
