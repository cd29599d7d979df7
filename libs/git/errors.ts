import { AdapterRefused, AdapterUnavailable, RedactedError } from "#libs/runtime";

/** The remote or the network does not answer now; the same call may work later. */
export class GitUnavailable extends AdapterUnavailable {
  override readonly name = "GitUnavailable";
}

/** The kind of refusal, where callers distinguish it. */
export type GitRefusal = "login" | "right" | "noBranch" | "branchInTheWay" | "moved" | "noRepository" | "addressKind";

interface GitRefusedOptions extends ErrorOptions {
  readonly refusal?: GitRefusal | undefined;
  readonly branch?: string | undefined;
}

/** git, the remote or its settings refused; a retry changes nothing until a person fixes it. */
export class GitRefused extends AdapterRefused {
  override readonly name = "GitRefused";
  readonly refusal: GitRefusal | undefined;
  /** The branch that is missing, or in the way, where it is known. */
  readonly branch: string | undefined;

  constructor(message: string, fix: string, options: GitRefusedOptions = {}) {
    super(message, fix, options);
    this.refusal = options.refusal;
    this.branch = options.branch;
  }
}

/** A commit, usually a stranger's, needs more memory, time or disk than git may use. It concerns this request only. */
export class GitOverLimit extends RedactedError {
  override readonly name = "GitOverLimit";
  readonly limit: "output" | "time" | "room";

  constructor(limit: GitOverLimit["limit"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.limit = limit;
  }
}

/** A file or a folder of a commit is larger than the limit; `path` was not read. */
export class GitTooLarge extends GitRefused {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message, `make ${path} smaller`);
    this.path = path;
  }
}
