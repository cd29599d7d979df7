import { type Browser as Running, chromium } from "playwright-core";

import type { Browser } from "./find-chromium.ts";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts it without a window, with a profile of its own that is empty. */
export async function openBrowser({ path, env }: Browser): Promise<Running> {
  return chromium.launch({
    executablePath: path,
    headless: true,
    args: [...flags],
    env: { ...process.env, ...env },
    // On a busy machine it may take its time.
    timeout: 120_000,
  });
}
