import { AdapterRefused, AdapterUnavailable, RedactedError } from "#libs/runtime";

/** The remote or the network does not answer now; the same call may work later. Nothing was decided from old data. */
export class GitUnavailable extends AdapterUnavailable {
  override readonly name = "GitUnavailable";
}

/** What kind of no it was, where callers distinguish them. */
export type GitRefusal = "login" | "right" | "noBranch" | "moved" | "noRepository" | "addressKind";

interface GitRefusedOptions extends ErrorOptions {
  readonly refusal?: GitRefusal | undefined;
  readonly branch?: string | undefined;
}

/** Git, the remote or its settings said no; trying again changes nothing until a person fixes it. */
export class GitRefused extends AdapterRefused {
  override readonly name = "GitRefused";
  readonly refusal: GitRefusal | undefined;
  /** The one that is not there, where the remote names it. */
  readonly branch: string | undefined;

  constructor(message: string, fix: string, options: GitRefusedOptions = {}) {
    super(message, fix, options);
    this.refusal = options.refusal;
    this.branch = options.branch;
  }
}

/**
 * A commit, usually a stranger's, asks for more memory, time or room than git gets for it. It concerns what was asked for and
 * nothing else: the remote and the clone are well.
 */
export class GitOverLimit extends RedactedError {
  override readonly name = "GitOverLimit";
  readonly limit: "output" | "time" | "room";

  constructor(limit: GitOverLimit["limit"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.limit = limit;
  }
}

/** A file or a folder of a commit is larger than meshroll reads: what `path` names was not read. */
export class GitTooLarge extends GitRefused {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message, `make ${path} smaller`);
    this.path = path;
  }
}
