import { pino } from "pino";

import { createLineSink } from "./line-sink.ts";
import { createRedactor } from "../secrets/redact.ts";
import { listKnownSecrets } from "../secrets/secret.ts";

interface LogLine {
  (fields: object, message: string): void;
  (message: string): void;
}

/** Writes one line of JSON per call. `fields.error` (or `err`) is printed with its stack and causes. */
export interface Logger {
  readonly debug: LogLine;
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
  readonly fatal: LogLine;
  /** The same with these fields on every line. */
  child(fields: Readonly<Record<string, unknown>>): Logger;
}

const levels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;

/** What to log at: an unknown word is `info`, as a typo must not silence a service. */
function readLevel(wanted: string | undefined): string {
  return levels.find((level) => level === wanted) ?? "info";
}

/** In the form of the other lines. */
function describeLost(name: string, lost: number): string {
  const msg = `${lost} lines of the log could not be written`;
  return `${JSON.stringify({ level: "warn", time: new Date().toISOString(), pid: process.pid, name, msg })}\n`;
}

/**
 * A logger for the process `name`; lines less important than `level` are left out. Neither `secrets` nor any `Secret` of
 * this process ever reaches its lines. They go to stderr, as stdout belongs to what a command answers.
 */
export function createLogger(
  name: string,
  secrets: readonly string[] = [],
  level: string | undefined = process.env["MESHROLL_LOG_LEVEL"],
  write: (line: string) => void = createLineSink(process.stderr, (lost) => describeLost(name, lost)),
): Logger {
  const redact = createRedactor(() => [...secrets, ...listKnownSecrets()]);
  const settings = {
    name,
    level: readLevel(level),
    serializers: { error: pino.stdSerializers.errWithCause, err: pino.stdSerializers.errWithCause },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  // At the sink, where nothing can pass by: fields, messages, errors of libraries, stacks.
  return pino(settings, { write: (line) => write(redact(line)) });
}
