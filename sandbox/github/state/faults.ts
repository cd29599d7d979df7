/** What goes wrong with an answer. */
export type FaultEffect =
  /** Sends this answer and does nothing; `body` is sent as HTML unless the headers say otherwise. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "primaryLimit"; readonly resetInSeconds: number }
  /** Without `retryAfterSeconds` the answer has no such header, and a client has to wait for at least a minute. */
  | { readonly kind: "secondaryLimit"; readonly retryAfterSeconds?: number }
  /** Closes the connection and does nothing. */
  | { readonly kind: "reset" }
  /** Does what was asked, then closes the connection: the client cannot know. */
  | { readonly kind: "loseAnswer" }
  /** Does what was asked, then answers with this status and GitHub's page. */
  | { readonly kind: "failAfter"; readonly status: 500 | 502 | 504 }
  /** Answers a read as it would have been that long ago; writes are as ever. Only what happens after the fault was added is missing. */
  | { readonly kind: "old"; readonly byMs: number }
  /** Does what was asked, then sends only half of the answer. */
  | { readonly kind: "truncate" }
  /** Takes the request and never answers; with `until` the connection is closed then. */
  | { readonly kind: "hang"; readonly until?: Promise<void> }
  /** Does what was asked, but only after `until`; `onWaiting` is called when the request arrives. */
  | { readonly kind: "wait"; readonly until: Promise<void>; readonly onWaiting: () => void }
  /** Answers 200 and one byte each second, without end. */
  | { readonly kind: "drip" };

export interface Fault {
  /** All that are given must fit; `path` is matched against path and query. */
  readonly on: { readonly method?: string; readonly path?: RegExp };
  readonly effect: FaultEffect;
  /** How often; default 1, Infinity = until it is removed. */
  readonly times?: number;
}

export interface Faults {
  /** Returns a function that removes it. */
  add(fault: Fault): () => void;
  takeForRequest(method: string, path: string): FaultEffect | undefined;
}

interface Armed {
  readonly fault: Fault;
  left: number;
}

export function createFaults(): Faults {
  const armed: Armed[] = [];
  return {
    add(fault) {
      const entry: Armed = { fault, left: fault.times ?? 1 };
      armed.push(entry);
      return () => {
        entry.left = 0;
      };
    },
    takeForRequest(method, path) {
      const fits = ({ on }: Fault): boolean => (on.method ?? method) === method && (on.path?.test(path) ?? true);
      const found = armed.find((entry) => entry.left > 0 && fits(entry.fault));
      if (found === undefined) return undefined;
      found.left -= 1;
      return found.fault.effect;
    },
  };
}
