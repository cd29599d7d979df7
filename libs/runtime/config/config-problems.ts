/** One invalid variable of the environment; `message` says what is required. */
export interface Problem {
  /** The variable. */
  readonly name: string;
  readonly message: string;
}

/** The process cannot start with this environment. All problems at once; the exit code is 78. */
export class ConfigProblems extends Error {
  override readonly name = "ConfigProblems";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(({ name, message }) => `  ${name}: ${message}`);
    super(`the environment is not usable:\n${lines.join("\n")}`);
    this.problems = problems;
  }
}
