import { existsSync } from "node:fs";
import { resolve } from "node:path";

import { countSummary, type Finding } from "#libs/spec";

import { checkFile, type CheckedFile, sortFindings } from "./check-file.ts";
import type { Define } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { refuseSecondStdin } from "./input.ts";
import { addOutputOption, type OutputOptions } from "./output-option.ts";
import { printFindings } from "./print-findings.ts";
import { type Terminal, write } from "./terminal.ts";

/** What stands in the working directory: `meshroll.yml` may be absent, `rollouts.yml` must not. */
function listDefaultFiles({ cwd }: Terminal): readonly string[] {
  return ["rollouts.yml", ...(existsSync(resolve(cwd, "meshroll.yml")) ? ["meshroll.yml"] : [])];
}

/** The shape is a promise: these keys and no others, `help` null where there is none. */
function printJson(findings: readonly Finding[]): string {
  const rows = findings.map(({ code, severity, file, line, column, message, help = null }) => {
    return { code, severity, file, line, column, message, help };
  });
  return `${JSON.stringify({ findings: rows }, null, 2)}\n`;
}

function summarise({ name, findings, contents }: CheckedFile): string {
  const mark = findings.some(({ severity }) => severity === "error") ? "" : "✔ ";
  return `${mark}${name}: ${contents === undefined ? "" : `${contents}, `}${countSummary(findings)}\n`;
}

async function printHuman(files: readonly CheckedFile[], { stdout, stderr, env }: Terminal): Promise<void> {
  for (const { findings, text } of files) await printFindings(findings, text, stdout, env);
  for (const file of files) await write(stdout, summarise(file));
  const first = files.flatMap(({ findings }) => findings)[0];
  if (first !== undefined) stderr.write(`more: meshroll explain ${first.code}\n`);
}

/** `meshroll validate [FILE...]`: every problem of every file, and 65 when one of them is an error. */
export const define: Define = (command, { terminal, finish }) => {
  addOutputOption(command, ["human", "json"])
    .argument("[file...]", "files to check, `-` for stdin (default: rollouts.yml, and meshroll.yml if there is one)")
    .action(async (paths: readonly string[], { output }: OutputOptions<"human" | "json">) => {
      refuseSecondStdin(paths);
      const files: CheckedFile[] = [];
      for (const path of paths.length > 0 ? paths : listDefaultFiles(terminal))
        files.push(await checkFile(path, terminal));
      const findings = sortFindings(files.flatMap((file) => file.findings));
      if (output === "json") await write(terminal.stdout, printJson(findings));
      else await printHuman(files, terminal);
      if (findings.some(({ severity }) => severity === "error")) finish(exitCodes.invalid);
    });
};
