import { setTimeout as sleep } from "node:timers/promises";

/** Waits until it is true. Throws after two minutes, or after `limitMs`. */
export async function until(what: string, isTrue: () => Promise<boolean> | boolean, limitMs = 120_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await sleep(50);
  }
}
