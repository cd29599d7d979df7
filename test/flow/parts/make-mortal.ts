/** Counts before and after each call: killed with the deed undone, and with the deed done but unheard of. */
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
