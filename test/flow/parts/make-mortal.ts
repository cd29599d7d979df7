/**
 * Calls `tick` before and after each call, so that a process can be killed before the call, or after it and before its answer.
 */
export function makeMortal<T extends object>(target: T, tick: () => void): T {
  return new Proxy(target, {
    get:
      (object, name) =>
      async (...args: readonly unknown[]) => {
        tick();
        const answer: unknown = await (Reflect.get(object, name) as (...all: readonly unknown[]) => unknown)(...args);
        tick();
        return answer;
      },
  });
}
