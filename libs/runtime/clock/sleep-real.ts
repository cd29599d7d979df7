/** The longest delay that `setTimeout` accepts (31 bits); longer sleeps are split. */
const longestTimerMs = 2 ** 31 - 1;

function sleepOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(finish, ms);
    function finish(): void {
      signal?.removeEventListener("abort", abort);
      resolve();
    }
    function abort(): void {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Resolves after so many real ms; rejects with the signal's reason when it aborts. */
export async function sleepReal(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  for (let left = Math.max(0, ms); ; left -= longestTimerMs) {
    await sleepOnce(Math.min(left, longestTimerMs), signal);
    if (left <= longestTimerMs) return;
  }
}
