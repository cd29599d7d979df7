/** One call of an adapter by a planner or an executor. */
export interface AdapterCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

/** Begin something that lasts, or answer at once: they are no calls that fail. */
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
];

function isBucket(value: unknown): value is object {
  return typeof value === "object" && value !== null && "sweep" in value;
}

/** Has calls of adapters fail, as by a bug: with what no adapter throws when a server is away. */
export class Faults {
  /** What was called so far, by method. */
  readonly called = new Set<string>();
  /** True for a call that fails. */
  fails: (call: AdapterCall) => boolean = () => false;
  /** How many did. */
  count = 0;

  /** The same part, whose calls may fail. */
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
