import type { Command } from "commander";

import type { Session } from "./session.ts";
import type { Terminal } from "./terminal.ts";

/** What a command gets besides its arguments. */
export interface Invocation {
  readonly terminal: Terminal;
  readonly session: Session;
  /** Sets the exit code; 0 when never called. */
  readonly finish: (code: number) => void;
  /** Loads all commands in full. */
  readonly loadProgram: () => Promise<Command>;
}

/** Declares a command's arguments, options and action on the empty command that `program.ts` made. */
export type Define = (command: Command, invocation: Invocation) => void;

/** One line of the command table. The file is imported only when its command is called. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly define: Define }>;
}
