import type { Command } from "commander";

import { checkZone } from "../text/print-time.ts";
import { readWidth, type Terminal } from "../terminal/terminal.ts";

/** How a person wants to read the output. */
export interface Reading {
  /** ASCII words instead of shapes. */
  readonly plain?: boolean;
  /** IANA zone; absent = this machine's. */
  readonly tz?: string;
  readonly terminal: Pick<Terminal, "env">;
  /** Columns of the terminal; absent: it is not a terminal. */
  readonly width?: number;
}

export interface ReadingOptions {
  readonly plain?: boolean;
  readonly tz?: string;
}

/** `--plain` and `--tz`. */
export function addReadingOptions(command: Command): Command {
  return command
    .option("--plain", "ASCII words instead of shapes, for screen readers and logs")
    .option("--tz <zone>", "time zone, as Europe/Berlin (default: this machine's)");
}

/** Refuses an unknown zone first. */
export function chooseReading({ plain, tz }: ReadingOptions, terminal: Terminal): Reading {
  checkZone(tz === undefined ? {} : { tz });
  const width = terminal.stdout.isTTY === true ? { width: readWidth(terminal) } : {};
  return { terminal, ...width, ...(plain === true ? { plain } : {}), ...(tz === undefined ? {} : { tz }) };
}
