import { Argument } from "commander";

import type { Context } from "../../contexts/config-form.ts";
import { listVariables } from "../../contexts/context-environment.ts";
import { findConfigPath } from "../../contexts/config-path.ts";
import { chooseContext, loadConfig, type LoadedConfig } from "../../contexts/load-config.ts";
import { writeCurrent } from "../../contexts/write-current.ts";
import { requireKnown } from "../../names/unknown-name.ts";
import { addOutputOption, type OutputOptions } from "../../options/output-option.ts";
import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { readWidth, type Terminal, write } from "../../terminal/terminal.ts";
import { printTable } from "../../text/table.ts";

type Format = "human" | "json" | "name";

function requireConfig(terminal: Terminal): LoadedConfig {
  const loaded = loadConfig(terminal);
  if (loaded !== undefined) return loaded;
  throw new Refusal(
    exitCodes.environment,
    `there is no file of contexts: ${findConfigPath(terminal)}`,
    "docs/how-to/use-contexts.md  has an example",
  );
}

/** How the bus is reached, in one word. */
function nameBus({ nats }: Context): string {
  if (nats?.portForward !== undefined) return `port-forward:${nats.portForward.target}`;
  return nats?.url ?? "-";
}

function printList({ config }: LoadedConfig, current: string | undefined, output: Format, terminal: Terminal): string {
  const contexts = Object.entries(config.contexts);
  if (output === "name") return contexts.map(([name]) => `context/${name}\n`).join("");
  if (output === "json") {
    const items = contexts.map(([name, context]) => ({ name, current: name === current, ...context }));
    return `${JSON.stringify({ apiVersion: "meshroll.dev/v1", kind: "ContextList", items }, undefined, 2)}\n`;
  }
  const rows = contexts.map(([name, context]) => [
    name === current ? "*" : "",
    name,
    context.repository ?? "-",
    nameBus(context),
  ]);
  return `${printTable(["CURRENT", "NAME", "REPOSITORY", "NATS"], rows, readWidth(terminal)).join("\n")}\n`;
}

interface Setting {
  readonly variable: string;
  readonly value: string;
  /** Who set it: a variable of the shell overrides the context. */
  readonly from: string;
}

function listSettings(name: string, context: Context, { env }: Terminal): readonly Setting[] {
  const said = listVariables(context, env);
  const set = Object.entries(env).flatMap(([variable, value]) =>
    variable.startsWith("MESHROLL_") && !/TOKEN|PASSWORD|KEY|SECRET/u.test(variable) && value !== undefined
      ? [{ variable, value: value.replaceAll(/\/\/[^/@,]*@/gu, "//"), from: "environment" }]
      : [],
  );
  const taken = new Set(set.map(({ variable }) => variable));
  const own = Object.entries(said).map(([variable, value]) => ({ variable, value, from: `context ${name}` }));
  return [...own.filter(({ variable }) => !taken.has(variable)), ...set].toSorted((a, b) =>
    a.variable < b.variable ? -1 : 1,
  );
}

function printSettings(named: string | undefined, output: Format, terminal: Terminal): string {
  const { name, context, by } = chooseContext(named, terminal) ?? refuseNone(terminal);
  const settings = listSettings(name, context, terminal);
  if (output === "name") return `context/${name}\n`;
  if (output === "json") {
    const named = { apiVersion: "meshroll.dev/v1", kind: "Context", name, by, ...context, settings };
    return `${JSON.stringify(named, undefined, 2)}\n`;
  }
  const lines = settings.map(({ variable, value, from }) => `  ${variable}=${value}  (${from})`);
  const bus = context.nats?.portForward === undefined ? [] : [`  NATS by kubectl ${nameBus(context)}`];
  return `${[`${name}  (${by})`, ...lines, ...bus].join("\n")}\n`;
}

function refuseNone(terminal: Terminal): never {
  const { config, path } = requireConfig(terminal);
  throw new Refusal(exitCodes.environment, `${path} names no current context`, [
    { command: `meshroll context use ${Object.keys(config.contexts)[0] ?? "NAME"}` },
  ]);
}

async function use(name: string | undefined, terminal: Terminal): Promise<void> {
  const loaded = requireConfig(terminal);
  const names = Object.keys(loaded.config.contexts);
  if (name === undefined) throw new Refusal(exitCodes.usage, "say which context", `known: ${names.join(", ")}`);
  requireKnown("context", name, names, `${loaded.path} has no context`);
  writeCurrent(loaded, name);
  await write(terminal.stderr, `✔ context ${name} is the current one\n`);
  const variable = terminal.env["MESHROLL_CONTEXT"] ?? "";
  if (variable !== "" && variable !== name) {
    await write(terminal.stderr, `! here MESHROLL_CONTEXT=${variable} takes precedence\n`);
  }
}

/** `meshroll context use|list|show`: the fleet that commands are about. */
export const define: Define = (command, { terminal }) => {
  const what = new Argument("<what>", "use: make it the current one; list: all of them; show: its settings");
  addOutputOption(command, ["human", "json", "name"])
    .addArgument(what.choices(["use", "list", "show"]))
    .argument("[name]", "a context; with show, the current one by default")
    .action(async (verb: "use" | "list" | "show", name: string | undefined, { output }: OutputOptions<Format>) => {
      if (verb === "use") return use(name, terminal);
      if (verb === "show") return write(terminal.stdout, printSettings(name, output, terminal));
      if (name !== undefined) {
        const fix = [{ command: `meshroll context show ${name}` }];
        throw new Refusal(exitCodes.usage, "context list takes no name: it lists all", fix);
      }
      const loaded = requireConfig(terminal);
      return write(terminal.stdout, printList(loaded, chooseContext(undefined, terminal)?.name, output, terminal));
    });
};
