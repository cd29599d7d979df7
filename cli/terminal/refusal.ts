/** Something that the person who typed the command must fix: told on stderr, then the process ends with the code. */
export class Refusal extends Error {
  readonly exitCode: number;
  /** The way out, when one is known. */
  readonly help: string | undefined;

  constructor(exitCode: number, message: string, help?: string) {
    super(message);
    this.name = "Refusal";
    this.exitCode = exitCode;
    this.help = help;
  }
}
