/** Gives tokens that end. An adapter asks for one before each use and keeps none. */
export interface TokenSource {
  /** One that is good now. Throws `AdapterUnavailable` or `AdapterRefused`. */
  give(): Promise<string>;
  /** The other side refused it: the next one is new. */
  drop(token: string): void;
}

/** One that lasts, or a source of those that end. */
export type Token = string | TokenSource;
