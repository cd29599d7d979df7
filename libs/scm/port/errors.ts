import { AdapterRefused, AdapterUnavailable } from "#libs/runtime";

/** Why calls that are not urgent wait, though GitHub answers. */
export type Kept =
  /** So many requests of this hour are left. */
  | { readonly kind: "rest"; readonly left: number; readonly limit: number }
  /** A ban has just ended. */
  | { readonly kind: "headStart" };

interface UnavailableOptions extends ErrorOptions {
  readonly retryAfterMs?: number;
  readonly kept?: Kept;
}

/** GitHub or the network does not answer now, or asks us to wait; the same call may work later. */
export class ScmUnavailable extends AdapterUnavailable {
  override readonly name = "ScmUnavailable";
  /** Ms that GitHub asked us to wait; until then such a call throws this without a request. */
  readonly retryAfterMs: number | undefined;
  /** Undefined: GitHub does not answer, or would not. */
  readonly kept: Kept | undefined;

  constructor(message: string, options: UnavailableOptions = {}) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
    this.kept = options.kept;
  }
}

/** Why GitHub makes no token for us, or does not know the repository; each has a setting that fixes it. */
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

/** GitHub refused: missing rights, a wrong name, or a request that its rules forbid. A person must fix it. */
export class ScmRefused extends AdapterRefused {
  override readonly name = "ScmRefused";
  /** HTTP status of GitHub's answer; absent where no request was sent. */
  readonly status: number | undefined;
  /** Absent: no known reason. */
  readonly reason: ScmReason | undefined;

  constructor(what: string, fix: string, options: RefusedOptions = {}) {
    super(what, fix, options);
    this.status = options.status;
    this.reason = options.reason;
  }
}
