/** What goes wrong with an answer. */
export type FaultEffect =
  /** Answers this instead of doing anything; `body` is sent as HTML unless headers say otherwise. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "primaryLimit"; readonly resetInSeconds: number }
  /** Without `retryAfterSeconds` GitHub's answer has no header, and at least a minute is to be waited. */
  | { readonly kind: "secondaryLimit"; readonly retryAfterSeconds?: number }
  /** Cuts the connection and does nothing. */
  | { readonly kind: "reset" }
  /** Does it, then cuts the connection: the caller cannot know. */
  | { readonly kind: "loseAnswer" }
  /** Does it, then cuts the answer midway. */
  | { readonly kind: "truncate" }
  /** Takes the request and says nothing; with `until` the connection is cut then. */
  | { readonly kind: "hang"; readonly until?: Promise<void> }
  /** Does it, but not before `until`; `onWaiting` is told that it came in. */
  | { readonly kind: "wait"; readonly until: Promise<void>; readonly onWaiting: () => void }
  /** Answers 200 and one byte each second, without end. */
  | { readonly kind: "drip" };

export interface Fault {
  /** All that are given must fit; `path` is matched against path and query. */
  readonly on: { readonly method?: string; readonly path?: RegExp };
  readonly effect: FaultEffect;
  /** How often; default 1, Infinity until removed. */
  readonly times?: number;
}

export interface Faults {
  /** Answers how to take it away again. */
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
