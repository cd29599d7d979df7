import type { Sentence } from "./sentence.ts";

/** A problem that the caller must fix: printed on stderr, then the process ends with the code. */
export class Refusal extends Error {
  readonly exitCode: number;
  /** The fix, where one is known; one line each. */
  readonly help: readonly Sentence[];

  constructor(exitCode: number, message: string, ...help: readonly (Sentence | undefined)[]) {
    super(message);
    this.name = "Refusal";
    this.exitCode = exitCode;
    this.help = help.filter((each) => each !== undefined);
  }
}
