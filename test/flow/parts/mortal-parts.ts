/** Whether the value may have methods of its own, as a bucket or a repository has. */
function isPart(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Map) && !(value instanceof AbortSignal);
}

/**
 * The same parts for a process that can be killed: once `isDead` returns true, no call has an effect or an answer, also none
 * that waits at that moment, as after `kill -9`.
 */
export function makeMortalParts<T extends object>(parts: T, isDead: () => boolean): T {
  const never = new Promise<never>(() => undefined);

  function guardAnswer(answer: unknown): unknown {
    if (answer instanceof Promise)
      return answer.then(
        (value: unknown) => (isDead() ? never : value),
        (error: unknown) => (isDead() ? never : Promise.reject(error as Error)),
      );
    // A bucket of the bus is guarded too, because it can be used after the process died.
    return isPart(answer) && "watch" in answer ? guard(answer) : answer;
  }

  function guard<P extends object>(part: P): P {
    return new Proxy(part, {
      get(object, name) {
        const member: unknown = Reflect.get(object, name);
        if (typeof member !== "function") return member;
        return (...args: readonly unknown[]) =>
          isDead() ? never : guardAnswer(Reflect.apply(member, object, args as unknown[]));
      },
    });
  }

  return guard(parts);
}
