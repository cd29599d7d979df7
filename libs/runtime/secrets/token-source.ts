/** A source of tokens that expire. An adapter asks for one before each use and keeps none. */
export interface TokenSource {
  /** A valid token. Throws `AdapterUnavailable` or `AdapterRefused`. */
  give(): Promise<string>;
  /** Drops a token that the other side refused, so that the next one is new. */
  drop(token: string): void;
}

/** A token that does not expire, or a source of expiring ones. */
export type Token = string | TokenSource;
