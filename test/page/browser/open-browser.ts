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

/** Starts a headless browser with an empty profile. */
export async function openBrowser({ path, env }: Browser): Promise<Running> {
  return chromium.launch({
    executablePath: path,
    headless: true,
    args: [...flags],
    env: { ...process.env, ...env },
    // Long enough for a busy machine.
    timeout: 120_000,
  });
}
