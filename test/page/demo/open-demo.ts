import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { FleetStatus } from "#libs/plan";
import type { Browser } from "playwright-core";

import type { Display } from "../../../sandbox/demo/display/display.ts";
import { runDemo } from "../../../sandbox/demo/run-demo.ts";
import { runCli } from "../../../sandbox/demo/world/run-cli.ts";
import { startEnvironment } from "../../../sandbox/demo/world/start-world.ts";
import { findChromium } from "../browser/find-chromium.ts";
import { openBrowser } from "../browser/open-browser.ts";

/** One status as a reader of the bus got it. */
export interface SeenStatus {
  readonly status: FleetStatus;
  /** Epoch ms by the system's clock. */
  readonly seenAt: number;
}

/** The demo with all its processes in a folder of its own, played without people, and a browser. */
export interface OpenDemo {
  readonly url: string;
  readonly browser: Browser;
  readonly statuses: readonly SeenStatus[];
  /** Resolves with the first status for which this holds, seen before or later; rejects when the demo ends without one. */
  until(isTrue: (status: FleetStatus) => boolean): Promise<FleetStatus>;
  /** What the demo's own command line prints. */
  cli(args: readonly string[]): Promise<string>;
  /** Whether the demo ended well: each run is over and the audit passed. */
  readonly ended: Promise<boolean>;
  close(): Promise<void>;
}

/** Clusters' time passes so many times as fast as real time, as in `npm run demo`. */
const factor = 60;

/** Starts the demo; its story goes on by itself. */
export async function openDemo(): Promise<OpenDemo> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-page-demo-"));
  const environment = await startEnvironment({
    folder: join(folder, "demo"),
    factor,
    namespaces: 1000,
    log: () => undefined,
  });
  const browser = await openBrowser(await findChromium(() => undefined));
  const stop = new AbortController();
  const statuses: SeenStatus[] = [];
  const waiting = new Set<() => void>();
  const said: string[] = [];
  const display: Display = {
    showStatus(status) {
      statuses.push({ status, seenAt: Date.now() });
      for (const check of waiting) check();
    },
    showEvent: () => undefined,
    say: (text) => void said.push(text),
    suggest: () => undefined,
    leave: () => undefined,
    summarise: () => undefined,
  };
  const options = { yes: true, wipe: false, signal: stop.signal, onPlanted: () => undefined };
  const ended = runDemo(environment, display, options);
  // The test that waits for its end gets the error.
  ended.catch(() => undefined);
  return {
    url: environment.apiUrl,
    browser,
    statuses,
    async until(isTrue) {
      const known = statuses.findLast(({ status }) => isTrue(status));
      if (known !== undefined) return known.status;
      const seen = new Promise<FleetStatus>((resolve) => {
        const check = (): void => {
          const last = statuses.at(-1)?.status;
          if (last === undefined || !isTrue(last)) return;
          waiting.delete(check);
          resolve(last);
        };
        waiting.add(check);
      });
      const over = ended.then(() => {
        throw new Error(`the demo ended before that: ${said.slice(-3).join("; ")}`);
      });
      return Promise.race([seen, over]);
    },
    cli: async (args) => runCli(environment, args, stop.signal),
    ended,
    async close() {
      await browser.close();
      stop.abort(new Error("the test is over"));
      await ended.catch(() => undefined);
      await environment.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
