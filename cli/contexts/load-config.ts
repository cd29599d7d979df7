import { readFileSync } from "node:fs";

import { explainSystemError, lookUp } from "#libs/input";
import type { Document } from "yaml";

import { refuseUnknown } from "../names/unknown-name.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Config, Context } from "./config-form.ts";
import { findConfigPath } from "./config-path.ts";
import { readConfig } from "./read-config.ts";

/** The file of contexts. */
export interface LoadedConfig {
  readonly path: string;
  readonly text: string;
  readonly config: Config;
  readonly document: Document;
}

/** A limit against files such as /dev/zero. */
const mostBytes = 1024 * 1024;

function readText(path: string): string | undefined {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > mostBytes) throw new Refusal(exitCodes.environment, `${path} is larger than 1 MiB`);
    return bytes.toString("utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw new Refusal(exitCodes.environment, `${path} cannot be read: ${explainSystemError(error)}`);
  }
}

/** Reads the file of contexts; undefined where there is none. Refuses one with errors, each with its place. */
export function loadConfig(terminal: Pick<Terminal, "env" | "cwd">): LoadedConfig | undefined {
  const path = findConfigPath(terminal);
  const text = readText(path);
  if (text === undefined) return undefined;
  const read = readConfig(text);
  if (read.ok) return { path, text, config: read.config, document: read.document };
  const listed = read.problems.map((each) => `${path}:${each}`);
  throw new Refusal(exitCodes.environment, `the file of contexts has errors:\n${listed.join("\n")}`);
}

/** A context, and what chose it. */
export interface ChosenContext {
  readonly name: string;
  readonly context: Context;
  readonly by: "--context" | "MESHROLL_CONTEXT" | "current";
}

type Naming = Pick<ChosenContext, "name" | "by">;

/** What chooses the context: the flag, else the environment, else the file. */
function findNaming(
  flag: string | undefined,
  { env }: Pick<Terminal, "env">,
  config: Config | undefined,
): Naming | undefined {
  const variable = env["MESHROLL_CONTEXT"] ?? "";
  if (flag !== undefined) return { name: flag, by: "--context" };
  if (variable !== "") return { name: variable, by: "MESHROLL_CONTEXT" };
  return config?.current === undefined ? undefined : { name: config.current, by: "current" };
}

/** The context in effect; undefined without any. Refuses a name that is not in the file. */
export function chooseContext(
  flag: string | undefined,
  terminal: Pick<Terminal, "env" | "cwd">,
): ChosenContext | undefined {
  const config = loadConfig(terminal)?.config;
  const naming = findNaming(flag, terminal, config);
  if (naming === undefined) return undefined;
  const contexts = config?.contexts ?? {};
  const context = lookUp(contexts, naming.name);
  if (context !== undefined) return { ...naming, context };
  throw refuseUnknown("context", naming.name, Object.keys(contexts), `${findConfigPath(terminal)} has no context`);
}
