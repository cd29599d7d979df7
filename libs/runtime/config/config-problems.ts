/** One thing that is wrong with the environment; `message` says how it must be. */
export interface Problem {
  /** The variable. */
  readonly name: string;
  readonly message: string;
}

/** The environment does not allow to start: a person must fix it. All problems at once; the exit code is 78. */
export class ConfigProblems extends Error {
  override readonly name = "ConfigProblems";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(({ name, message }) => `  ${name}: ${message}`);
    super(`the environment is not usable:\n${lines.join("\n")}`);
    this.problems = problems;
  }
}
