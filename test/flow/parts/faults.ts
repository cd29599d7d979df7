/** One call of an adapter by a planner or an executor. */
export interface AdapterCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

/** These methods start something that lasts, or answer without I/O: they do not fail. */
const lasting: readonly string[] = [
  "bucket",
  "watch",
  "listen",
  "start",
  "close",
  "trouble",
  "isConnected",
  "problems",
  "locateControlPlane",
  "urgently",
];

function isBucket(value: unknown): value is object {
  return typeof value === "object" && value !== null && "sweep" in value;
}

/** Makes calls of adapters fail with an error that no adapter throws for an outage, as a bug would. */
export class Faults {
  /** Names of the methods that were called so far. */
  readonly called = new Set<string>();
  /** Whether a call fails. */
  fails: (call: AdapterCall) => boolean = () => false;
  /** How many calls failed. */
  count = 0;

  /** Returns the same part; its calls may fail. */
  wrap<T extends object>(part: T): T {
    return new Proxy(part, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name);
        if (typeof member !== "function" || typeof name !== "string") return member;
        return (...args: readonly unknown[]) => this.#call(object, name, member, args);
      },
    });
  }

  #call(object: object, method: string, member: unknown, args: readonly unknown[]): unknown {
    if (!lasting.includes(method)) {
      this.called.add(method);
      if (this.fails({ method, args })) {
        this.count += 1;
        return Promise.reject(new Error(`a bug in ${method}`));
      }
    }
    const answer: unknown = Reflect.apply(member as (...all: never) => unknown, object, args as never);
    return isBucket(answer) ? this.wrap(answer) : answer;
  }
}
