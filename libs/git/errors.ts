/** The remote or the network does not answer now; the same call may work later. Nothing was decided from old data. */
export class GitUnavailable extends Error {
  override readonly name = "GitUnavailable";
}

/** Git, the remote or its settings said no; trying again changes nothing until a person mends it. */
export class GitRefused extends Error {
  override readonly name = "GitRefused";
  /** The command or edit that mends it. */
  readonly mend: string;

  constructor(message: string, mend: string, options?: ErrorOptions) {
    super(`${message}; to mend it: ${mend}`, options);
    this.mend = mend;
  }
}
