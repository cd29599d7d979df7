import { vi } from "vitest";

// What comes by itself (a message, a process, an answer) is waited for as long as it takes on a busy machine: by itself
// `vi.waitFor` gives up after a second. `expect.poll` has the same limit in vitest.config.ts.
const { waitFor } = vi;
vi.waitFor = async (callback, options) =>
  waitFor(callback, { timeout: 60_000, ...(typeof options === "number" ? { timeout: options } : options) });
