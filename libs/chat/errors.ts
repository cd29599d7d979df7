import { AdapterRefused, AdapterUnavailable } from "#libs/runtime";

/** The chat or the network does not answer now, or asks us to wait; the same call may work later. A post may have been made. */
export class ChatUnavailable extends AdapterUnavailable {
  override readonly name = "ChatUnavailable";
  /** Real ms that the chat asked us to wait; until then every call fails here, without a request. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly retryAfterMs?: number } = {}) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The chat said no; the same call is refused again until a person fixes what `fix` names. */
export class ChatRefused extends AdapterRefused {
  override readonly name = "ChatRefused";
  /** `setup`: token, scope or channel, so every message is refused. `message`: this one alone, the others go through. */
  readonly concerns: "setup" | "message";

  constructor(message: string, concerns: "setup" | "message", fix: string, options?: ErrorOptions) {
    super(message, fix, options);
    this.concerns = concerns;
  }
}
