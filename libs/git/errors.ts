import { RedactedError } from "#libs/runtime";

/** The remote or the network does not answer now; the same call may work later. Nothing was decided from old data. */
export class GitUnavailable extends RedactedError {
  override readonly name = "GitUnavailable";
}

/** Git, the remote or its settings said no; trying again changes nothing until a person fixes it. */
export class GitRefused extends RedactedError {
  override readonly name = "GitRefused";
  /** The command or edit that fixes it. */
  readonly fix: string;

  constructor(message: string, fix: string, options?: ErrorOptions) {
    super(`${message}; to fix it: ${fix}`, options);
    this.fix = fix;
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
