import { AdapterRefused, AdapterUnavailable } from "#libs/runtime";

/** GitHub or the network does not answer now, or asks us to wait; the same call may work later. */
export class ScmUnavailable extends AdapterUnavailable {
  override readonly name = "ScmUnavailable";
  /** Ms that GitHub asked us to wait; until then every call fails here, without a request. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly retryAfterMs?: number } = {}) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** GitHub said no: rights, a wrong name or a request that its rules forbid. A person must fix it. */
export class ScmRefused extends AdapterRefused {
  override readonly name = "ScmRefused";
  /** Of GitHub's answer; absent where it was not asked. */
  readonly status: number | undefined;

  constructor(what: string, fix: string, options: ErrorOptions & { readonly status?: number } = {}) {
    super(what, fix, options);
    this.status = options.status;
  }
}
