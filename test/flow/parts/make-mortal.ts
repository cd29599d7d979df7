type Method = (...all: readonly unknown[]) => unknown;

/**
 * Calls `tick` before and after each call, so that a process can be killed before the call, or after it and before its answer.
 */
export function makeMortal<T extends object>(target: T, tick: () => void): T {
  return new Proxy(target, {
    get(object, name) {
      const found: unknown = Reflect.get(object, name);
      if (typeof found !== "function") return found;
      return async (...args: readonly unknown[]) => {
        tick();
        const answer = await (found as Method)(...args);
        tick();
        return answer;
      };
    },
  });
}
