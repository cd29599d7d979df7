import { join, resolve } from "node:path";

import type { Terminal } from "../terminal/terminal.ts";

/** Where a person's contexts are kept: `MESHROLL_CONFIG`, else below the folder for configuration that XDG names. */
export function findConfigPath({ env, cwd }: Pick<Terminal, "env" | "cwd">): string {
  const named = env["MESHROLL_CONFIG"] ?? "";
  if (named !== "") return resolve(cwd, named);
  const folder = env["XDG_CONFIG_HOME"] ?? "";
  return join(folder === "" ? join(env["HOME"] ?? "/", ".config") : folder, "meshroll", "config.yml");
}
