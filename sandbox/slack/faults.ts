/** What goes wrong with a call. */
export type SlackFaultEffect =
  | { readonly kind: "rateLimited"; readonly retryAfterSeconds: number }
  /** Answers this status with a page of HTML, and does nothing. */
  | { readonly kind: "status"; readonly status: number }
  /** Slack's word for a refusal: `is_archived`, `token_revoked`, … */
  | { readonly kind: "error"; readonly error: string }
  /** Cuts the connection and does nothing. */
  | { readonly kind: "reset" }
  /** Does it, then cuts the connection: the caller cannot know. */
  | { readonly kind: "loseAnswer" }
  /** Never answers, and does nothing. */
  | { readonly kind: "hang" };

export interface SlackFault {
  /** Name of the method, `chat.postMessage`; absent = all. */
  readonly method?: string;
  readonly effect: SlackFaultEffect;
  /** How often; default 1, Infinity until taken away. */
  readonly times?: number;
}

export interface SlackFaults {
  /** Answers how to take it away again. */
  add(fault: SlackFault): () => void;
  take(method: string): SlackFaultEffect | undefined;
}

export function createFaults(): SlackFaults {
  const armed: { readonly fault: SlackFault; left: number }[] = [];
  return {
    add(fault) {
      const entry = { fault, left: fault.times ?? 1 };
      armed.push(entry);
      return () => void (entry.left = 0);
    },
    take(method) {
      const found = armed.find(({ fault, left }) => left > 0 && (fault.method ?? method) === method);
      if (found === undefined) return undefined;
      found.left -= 1;
      return found.fault.effect;
    },
  };
}
