import { RedactedError } from "#libs/runtime";

/** GitHub or the network does not answer now, or asks us to wait; the same call may work later. */
export class ForgeUnavailable extends RedactedError {
  override readonly name = "ForgeUnavailable";
  /** Ms that GitHub asked us to wait; until then every call fails here, without a request. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly retryAfterMs?: number } = {}) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** GitHub said no: rights, a wrong name or a request that its rules forbid. A person must mend it. */
export class ForgeRefused extends RedactedError {
  override readonly name = "ForgeRefused";
  /** The command or edit that mends it. */
  readonly mend: string;

  constructor(message: string, mend: string, options?: ErrorOptions) {
    super(`${message}; to mend it: ${mend}`, options);
    this.mend = mend;
  }
}
