import { constants } from "node:os";

import { type Closers, createClosers } from "./closers.ts";
import { ConfigProblems } from "../config/config-problems.ts";
import type { Logger } from "../log/logger.ts";
import { redactSecrets } from "../secrets/redact-secrets.ts";
import { sleepReal } from "../clock/sleep-real.ts";

export interface ServiceOptions {
  /** Limit for closing everything, real ms; after it the process ends with what is still open. */
  readonly stopLimitMs?: number;
}

/** Exit code of an unusable environment, as in sysexits. */
const badEnvironment = 78;

/** True when `work` ended in time. */
async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const limit = new AbortController();
  const late = sleepReal(ms, limit.signal).then(
    () => false,
    () => true,
  );
  const inTime = await Promise.race([work.then(() => true), late]);
  limit.abort();
  return inTime;
}

/** Reports why the process ends. Returns its exit code. */
function reportFault(log: Logger, error: unknown): number {
  if (error instanceof ConfigProblems) {
    // For a person who has just typed the command, so not a line of JSON.
    process.stderr.write(`${redactSecrets(error.message)}\n`);
    return badEnvironment;
  }
  log.fatal({ error }, "ended by a fault");
  return 1;
}

/** A signal that aborts at the first SIGTERM or SIGINT; the second one ends the process at once. */
function listenToSignals(log: Logger): AbortController {
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    process.on(name, () => {
      // A person is impatient, or something hangs. The next start continues from what is in git and on the objects.
      if (stop.signal.aborted) process.exit(128 + constants.signals[name]);
      log.info({ signal: name }, "asked to end");
      stop.abort(new Error(`asked to end by ${name}`));
    });
  }
  return stop;
}

/**
 * After a stray error the state of the process is unknown, and Node would continue after neither: everything that matters is in
 * git and on the objects.
 */
function endOnStrayErrors(log: Logger): void {
  process.on("unhandledRejection", (error) => process.exit(reportFault(log, error)));
  process.on("uncaughtException", (error) => process.exit(reportFault(log, error)));
}

/**
 * Runs a service until it ends by itself or gets SIGTERM or SIGINT, closes what it opened, newest first, and exits: 0 after a
 * regular end, 78 for an unusable environment, 1 for a fault or when something did not close in time.
 */
export async function runService(
  log: Logger,
  serve: (signal: AbortSignal, closers: Closers) => Promise<void>,
  options: ServiceOptions = {},
): Promise<never> {
  const stopLimitMs = options.stopLimitMs ?? 10_000;
  const stop = listenToSignals(log);
  endOnStrayErrors(log);
  const closers = createClosers();
  let exitCode = 0;
  // Keeps the event loop alive: without an open handle Node would end with code 13 and no message, although something is
  // awaited.
  setInterval(() => undefined, 60_000);

  const asked = new Promise<void>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  const main = serve(stop.signal, closers).catch((error: unknown) => {
    // A wait that the request to end interrupted is a regular end.
    if (error === stop.signal.reason) return;
    exitCode = reportFault(log, error);
  });
  await Promise.race([main, asked]);
  if (!stop.signal.aborted) stop.abort(new Error("the process ends"));

  const closing = main.then(async () =>
    closers.closeAll((what, error) => {
      exitCode = 1;
      log.error({ error, what }, "could not be closed");
    }),
  );
  if (!(await endsWithin(stopLimitMs, closing))) {
    exitCode = 1;
    log.error(`not closed within ${stopLimitMs} ms: ended as it is`);
  }
  process.exit(exitCode);
}
