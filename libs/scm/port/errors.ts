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

/** Why GitHub gives us no token, or does not know what we ask of: each has a setting that fixes it. */
export type ScmReason =
  | "AppKeyUnread"
  | "AppKeyWrong"
  | "AppUnknown"
  | "AppClockOff"
  | "AppNotInstalled"
  | "AppSuspended"
  | "AppRightMissing"
  | "AppNotForRepository"
  | "RepositoryMoved";

interface RefusedOptions extends ErrorOptions {
  readonly status?: number;
  readonly reason?: ScmReason;
}

/** GitHub said no: rights, a wrong name or a request that its rules forbid. A person must fix it. */
export class ScmRefused extends AdapterRefused {
  override readonly name = "ScmRefused";
  /** Of GitHub's answer; absent where it was not asked. */
  readonly status: number | undefined;
  /** Absent: none of the named ones. */
  readonly reason: ScmReason | undefined;

  constructor(what: string, fix: string, options: RefusedOptions = {}) {
    super(what, fix, options);
    this.status = options.status;
    this.reason = options.reason;
  }
}
