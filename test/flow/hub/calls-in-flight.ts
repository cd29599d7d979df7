/** Calls of adapters that were sent and not answered yet. */
export interface CallsInFlight {
  /** Returns the same part, whose calls are counted. */
  follow<T extends object>(part: T): T;
  /** Resolves once no call is in flight, and what followed from the last ones did not start another. */
  rest(settle: () => Promise<void>): Promise<void>;
}

/** A virtual clock does not wait for real servers, so the test waits for them between two of its steps. */
export function createCallsInFlight(): CallsInFlight {
  const open = new Set<Promise<unknown>>();

  function note(answer: unknown): unknown {
    if (!(answer instanceof Promise)) return answer;
    open.add(answer);
    const end = (): void => void open.delete(answer);
    answer.then(end, end);
    return answer;
  }

  return {
    follow: (part) =>
      new Proxy(part, {
        get(object, name) {
          const member: unknown = Reflect.get(object, name);
          if (typeof member !== "function") return member;
          return (...args: readonly unknown[]) =>
            note(Reflect.apply(member as (...all: never) => unknown, object, args));
        },
      }),
    async rest(settle) {
      for (await settle(); open.size > 0; await settle()) await Promise.allSettled(open);
    },
  };
}
