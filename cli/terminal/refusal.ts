import type { Sentence } from "./sentence.ts";

/** Something that the person who typed the command must fix: told on stderr, then the process ends with the code. */
export class Refusal extends Error {
  readonly exitCode: number;
  /** The way out, when one is known; a line each. */
  readonly help: readonly Sentence[];

  constructor(exitCode: number, message: string, ...help: readonly (Sentence | undefined)[]) {
    super(message);
    this.name = "Refusal";
    this.exitCode = exitCode;
    this.help = help.filter((each) => each !== undefined);
  }
}
