import { explainSystemError } from "#libs/input";
import { Readable } from "node:stream";

import type { Answer, Resolver } from "#libs/rollouts";

import { assignmentFormats, type AssignmentFormat } from "../options/assignment-format.ts";
import type { Define } from "../terminal/command.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { nameInput, openInput, refuseSecondStdin } from "../terminal/input.ts";
import { addMainOption, useMain } from "../read/main/use-main.ts";
import type { RepositoryOptions } from "../read/repository.ts";
import { loadSpec } from "../read/load-spec.ts";
import { type NamespaceLine, readNamespaceLines } from "../show/plans/namespace-lines.ts";
import { addOutputOption, type OutputOptions } from "../options/output-option.ts";
import { Refusal } from "../terminal/refusal.ts";
import { addSpecOptions, type SpecOptions } from "../options/spec-options.ts";
import { type Terminal, write } from "../terminal/terminal.ts";

interface AssignOptions extends RepositoryOptions, SpecOptions, OutputOptions<keyof typeof assignmentFormats> {
  readonly namespaces: string;
}

/** Answers valid lines and reports invalid ones; returns the number of the latter. */
async function assignLines(
  lines: readonly NamespaceLine[],
  source: string,
  resolver: Resolver,
  format: AssignmentFormat,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const answers: Answer[] = [];
  let bad = 0;
  for (const line of lines) {
    if (line.ok) answers.push(resolver.resolve(line.name));
    else {
      bad++;
      await write(stderr, `${source}:${line.line}: \`${line.text}\` is not a namespace's name\n`);
    }
  }
  if (answers.length > 0) await write(stdout, format.print(answers));
  return bad;
}

function openNamespaces(names: readonly string[], path: string, terminal: Terminal): Readable {
  return names.length > 0 ? Readable.from([Buffer.from(`${names.join("\n")}\n`)]) : openInput(path, terminal);
}

async function assign(names: readonly string[], options: AssignOptions, terminal: Terminal): Promise<number> {
  const source = names.length > 0 ? "argument" : nameInput(options.namespaces);
  refuseSecondStdin([options.file, options.settings ?? "", names.length > 0 ? "" : options.namespaces]);
  const { resolver } = await loadSpec(options, await useMain(options, terminal));
  const format = assignmentFormats[options.output]();
  let bad = 0;
  await write(terminal.stdout, format.head);
  try {
    for await (const lines of readNamespaceLines(openNamespaces(names, options.namespaces, terminal))) {
      bad += await assignLines(lines, source, resolver, format, terminal);
    }
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new Refusal(exitCodes.invalid, `${source} cannot be read: ${explainSystemError(error)}`);
  }
  await write(terminal.stdout, format.tail);
  return bad;
}

/** `meshroll assign [NS...|-f -]`: the revision of each namespace by `rollouts.yml`, streamed. */
export const define: Define = (command, { terminal, finish }) => {
  addOutputOption(addMainOption(addSpecOptions(command)), ["tsv", "json"])
    .argument("[namespace...]", "namespaces, instead of a list from -f")
    .option("-f, --namespaces <path>", "a file with one namespace a line, `-` for stdin", "-")
    .action(async (names: readonly string[], options: AssignOptions) => {
      if ((await assign(names, options, terminal)) > 0) finish(exitCodes.invalid);
    });
};
