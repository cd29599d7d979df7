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
  /** A logger with these fields on every line. */
  child(fields: Readonly<Record<string, unknown>>): Logger;
}

const levels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;

/** The log level. An unknown word means `info`, so that a typo does not silence a service. */
function readLevel(wanted: string | undefined): string {
  return levels.find((level) => level === wanted) ?? "info";
}

/** A line of the same form about lost lines. */
function describeLost(name: string, lost: number): string {
  const msg = `${lost} lines of the log could not be written`;
  return `${JSON.stringify({ level: "warn", time: new Date().toISOString(), pid: process.pid, name, msg })}\n`;
}

/**
 * A logger for the process `name`; lines below `level` are left out. Neither `secrets` nor any `Secret` of this process appears
 * in a line. It writes to stderr, because stdout is for a command's answer.
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
  // Redacts at the sink, so that fields, messages, library errors and stacks are all covered.
  return pino(settings, { write: (line) => write(redact(line)) });
}
