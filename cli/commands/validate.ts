import { existsSync } from "node:fs";
import { resolve } from "node:path";

import { countSummary, type Finding } from "#libs/rollouts";

import { sayCommand } from "../terminal/called-as.ts";
import { listCampaignFiles } from "../files/campaign-files.ts";
import { checkFile, type CheckedFile, checkTogether, sortFindings } from "../files/check-file.ts";
import type { Define } from "../terminal/command.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { refuseSecondStdin } from "../terminal/input.ts";
import { addOutputOption, type OutputOptions } from "../options/output-option.ts";
import { findInCheckout, printFindingAnnotations } from "../text/github-annotations.ts";
import { printFindings } from "../text/print-findings.ts";
import type { RepositoryOptions } from "../read/repository.ts";
import { addMainOption, useMain } from "../read/main/use-main.ts";
import { say, type Terminal, write } from "../terminal/terminal.ts";

const formats = ["human", "json", "github"] as const;

interface Options extends OutputOptions<(typeof formats)[number]>, RepositoryOptions {
  readonly filename: readonly string[];
}

function collect(path: string, before: readonly string[]): readonly string[] {
  return [...before, path];
}

/** The default files in the working directory: `rollouts.yml` is required, the others are optional. */
function listDefaultFiles({ cwd, files }: Terminal): readonly string[] {
  if (files !== undefined) return [...new Set(["rollouts.yml", ...files.keys()])];
  const settings = existsSync(resolve(cwd, "meshroll.yml")) ? ["meshroll.yml"] : [];
  return ["rollouts.yml", ...settings, ...listCampaignFiles(cwd)];
}

/** The shape is a promise: a finding has exactly these keys; `help` is null where there is none. */
function printJson(findings: readonly Finding[]): string {
  const rows = findings.map(({ code, severity, file, line, column, message, help = null }) => {
    return { code, severity, file, line, column, message, help };
  });
  const named = { apiVersion: "meshroll.dev/v1", kind: "FindingList", findings: rows };
  return `${JSON.stringify(named, null, 2)}\n`;
}

function summarise({ name, findings, contents }: CheckedFile): string {
  const mark = findings.some(({ severity }) => severity === "error") ? "" : "✔ ";
  return `${mark}${name}: ${contents === undefined ? "" : `${contents}, `}${countSummary(findings)}\n`;
}

async function printHuman(files: readonly CheckedFile[], { stdout, stderr, env }: Terminal): Promise<void> {
  for (const { findings, text } of files) await printFindings(findings, text, stdout, env);
  for (const file of files) await write(stdout, summarise(file));
  const first = files.flatMap(({ findings }) => findings)[0];
  if (first !== undefined) say(stderr, `more: ${sayCommand(`meshroll explain ${first.code}`, { env })}\n`);
}

/** `meshroll validate [FILE...]`: all problems of all files; exit code 65 when one of them is an error. */
export const define: Define = (command, { terminal, finish }) => {
  addOutputOption(addMainOption(command), formats)
    .option("-f, --filename <path>", "a file to check, as an argument; may be repeated", collect, [])
    .argument(
      "[file...]",
      "files to check, `-` for stdin (default: rollouts.yml, and meshroll.yml and campaigns/*.yml as far as there are any)",
    )
    .action(async (named: readonly string[], options: Options) => {
      const { output } = options;
      const paths = [...named, ...options.filename];
      refuseSecondStdin(paths);
      const source = await useMain(options, terminal);
      const read: CheckedFile[] = [];
      for (const path of paths.length > 0 ? paths : listDefaultFiles(source)) read.push(await checkFile(path, source));
      const files = await checkTogether(read);
      const findings = sortFindings(files.flatMap((file) => file.findings));
      if (output === "json") await write(terminal.stdout, printJson(findings));
      else if (output === "github")
        await write(
          terminal.stdout,
          printFindingAnnotations(findings, (file) => findInCheckout(file, terminal)),
        );
      else await printHuman(files, terminal);
      if (findings.some(({ severity }) => severity === "error")) finish(exitCodes.invalid);
    });
};
