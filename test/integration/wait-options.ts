/** For `vi.waitFor`: long enough on a busy machine. */
export const waitOptions = { timeout: 60_000, interval: 20 };
