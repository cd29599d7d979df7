import type { AppLogin } from "#libs/scm";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";

const guide = "docs/how-to/use-a-github-app.md";

/** Whether a GitHub App is configured; its adapter is loaded only then. */
function isNamed(env: Terminal["env"]): boolean {
  return Object.entries(env).some(([name, value]) => name.startsWith("MESHROLL_GITHUB_APP_") && (value ?? "") !== "");
}

/** The configured GitHub App; undefined: none. Sends nothing yet. */
export async function openApp({ env }: Pick<Terminal, "env">): Promise<AppLogin | undefined> {
  if (!isNamed(env)) return undefined;
  const [{ openAppLogin }, { ConfigProblems }] = await Promise.all([import("#libs/scm"), import("#libs/runtime")]);
  try {
    return openAppLogin(env);
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    const problems = error.problems.map(({ name, message }) => `${name} ${message}`);
    throw new Refusal(exitCodes.environment, problems.join("; "), guide);
  }
}
