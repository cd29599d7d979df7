import { join, resolve } from "node:path";

import type { Terminal } from "../terminal/terminal.ts";

/** The file of a person's contexts: `MESHROLL_CONFIG`, else in the XDG configuration folder. */
export function findConfigPath({ env, cwd }: Pick<Terminal, "env" | "cwd">): string {
  const named = env["MESHROLL_CONFIG"] ?? "";
  if (named !== "") return resolve(cwd, named);
  const folder = env["XDG_CONFIG_HOME"] ?? "";
  return join(folder === "" ? join(env["HOME"] ?? "/", ".config") : folder, "meshroll", "config.yml");
}
