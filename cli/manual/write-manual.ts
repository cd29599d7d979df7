import type { Command } from "commander";

import { argumentDescription, optionDescription } from "../text/option-text.ts";

/** Text escaped for troff: no requests, and hyphens that can be copied. */
function escape(text: string): string {
  const line = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll(/\s+/gu, " ").trim();
  return /^[.']/u.test(line) ? `\\&${line}` : line;
}

function writeList(title: string, entries: readonly (readonly [term: string, text: string])[]): readonly string[] {
  if (entries.length === 0) return [];
  return [`.SH ${title}`, ...entries.flatMap(([term, text]) => [".TP", `.B ${escape(term)}`, escape(text)])];
}

function writeHead(name: string, summary: string, synopsis: string, version: string): readonly string[] {
  return [
    `.TH "${name.toUpperCase()}" "1" "" "meshroll ${version}" "meshroll"`,
    ".SH NAME",
    `${escape(name)} \\- ${escape(summary)}`,
    ".SH SYNOPSIS",
    `.B ${escape(synopsis)}`,
  ];
}

function writeCommandPage(program: string, command: Command, version: string): string {
  const name = `${program}-${command.name()}`;
  const usage = `${program} ${command.name()} ${command.usage()}`;
  const lines = [
    ...writeHead(name, command.summary(), usage, version),
    ".SH DESCRIPTION",
    escape(command.description()),
    ...writeList(
      "ARGUMENTS",
      command.registeredArguments.map((each) => [each.name(), argumentDescription(each)] as const),
    ),
    ...writeList(
      "OPTIONS",
      command.options.map((each) => [each.flags, optionDescription(each)] as const),
    ),
    ".SH SEE ALSO",
    `.BR ${escape(program)} (1)`,
  ];
  return `${lines.join("\n")}\n`;
}

/** All manual pages by file name, made from the fully declared command table. */
export function writeManual(program: Command, version: string): Readonly<Record<string, string>> {
  const name = program.name();
  const all = program.commands.map((command) => [command.name(), command.summary()] as const);
  const top = [
    ...writeHead(name, program.description(), `${name} COMMAND [options]`, version),
    ...writeList("COMMANDS", all),
    ".SH SEE ALSO",
    all.map(([command]) => `.BR ${escape(`${name}-${command}`)} (1)`).join(",\n"),
  ];
  const pages = program.commands.map((command) => [
    `${name}-${command.name()}.1`,
    writeCommandPage(name, command, version),
  ]);
  return { [`${name}.1`]: `${top.join("\n")}\n`, ...(Object.fromEntries(pages) as Record<string, string>) };
}
