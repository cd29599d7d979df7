import { listNamespaces, mutateManifests, type MutateOptions } from "#libs/manifests";

import { type AnswerOptions, type Answers, loadAnswers } from "../../manifests/load-answers.ts";
import { type ManifestInput, readInputs } from "../../manifests/read-inputs.ts";
import { listWritten, reportKept } from "../../manifests/report-outcomes.ts";
import { type MutatedInput, printOutputs, writeFiles } from "../../manifests/write-outputs.ts";
import { addSpecOptions } from "../../options/spec-options.ts";
import { isNamespaceName } from "../../show/plans/namespace-lines.ts";
import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { refuseSecondStdin } from "../../terminal/input.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { type Terminal, write } from "../../terminal/terminal.ts";
import { readBuildTime } from "../../manifests/build-time.ts";

interface Options extends AnswerOptions {
  readonly filename: readonly string[];
  readonly namespace?: string;
  readonly tag: readonly string[];
  readonly check?: boolean;
  readonly verify?: boolean;
  readonly write?: boolean;
  readonly strict?: boolean;
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Refuses what is wrong on the command line itself. */
function checkOptions(
  { namespace, check, write: isWriting, file, settings = "" }: Options,
  paths: readonly string[],
): void {
  refuseSecondStdin([file, settings, ...paths]);
  if (namespace !== undefined && !isNamespaceName(namespace)) {
    throw new Refusal(exitCodes.usage, `--namespace: \`${namespace}\` is not a namespace's name`);
  }
  if (check === true && isWriting === true) {
    throw new Refusal(exitCodes.usage, "--check writes nothing, and --write does", "give one of the two");
  }
  if (isWriting === true && paths.includes("-")) {
    throw new Refusal(exitCodes.usage, "--write has no file to write to: `-` is standard input", "name files with -f");
  }
}

async function mutateInputs(
  inputs: readonly ManifestInput[],
  { answer, findCommit }: Answers,
  options: Options,
  terminal: Terminal,
): Promise<readonly MutatedInput[]> {
  const namespaces = listNamespaces(inputs.flatMap(({ pieces }) => pieces));
  const question: Omit<MutateOptions, "stamp"> = {
    answer: (namespace) => answer(namespace, namespaces.get(namespace)),
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    tags: new Set(options.tag),
    namespaces,
    verify: options.verify === true,
  };
  const specCommit = await findCommit();
  const stamp = { mutatedAt: readBuildTime(terminal.env), ...(specCommit === undefined ? {} : { specCommit }) };
  return inputs.map((input) => ({
    input,
    mutated: mutateManifests(input.text, input.pieces, { ...question, stamp }),
  }));
}

/** Writes the requested outputs; returns the exit code. */
async function finishOutputs(outputs: readonly MutatedInput[], options: Options, terminal: Terminal): Promise<number> {
  let refused = 0;
  for (const { input, mutated } of outputs) refused += reportKept(input, mutated.outcomes, terminal);
  if (options.check === true) {
    for (const { input, mutated } of outputs) {
      for (const line of listWritten(input, mutated.outcomes)) await write(terminal.stdout, line);
    }
  } else if (options.write === true) writeFiles(outputs, terminal);
  else await printOutputs(outputs, terminal);
  if (refused > 0 && options.strict === true) return exitCodes.refused;
  const isChanged = outputs.some(({ mutated }) => mutated.edits.length > 0);
  return options.check === true && isChanged ? exitCodes.changes : exitCodes.done;
}

/** `meshroll mutate [-f PATH...]`: sets in manifests the revision of each workload's namespace. */
export const define: Define = (command, { terminal, finish }) => {
  addSpecOptions(command)
    .option("--repo <url>", "rollouts.yml of this repository, path or URL, instead of the files here")
    .option("--ref <ref>", "with --repo: its branch, tag or commit (default: main)")
    .option(
      "-f, --filename <path>",
      "manifests: a file, a folder, `-` for stdin; may be repeated (default: -)",
      collect,
      [],
    )
    .argument("[file...]", "manifests, as -f")
    .option("-n, --namespace <name>", "the namespace for manifests that set none")
    .option("--tag <name>", "a revision tag: a label with its name is kept; may be repeated", collect, [])
    .option("--spec-commit <id>", "the commit to record, where git knows none of the rollouts file")
    .option("-w, --write", "write the files in place instead of printing them")
    .option("--check", "write nothing, list what would change, and exit with 2 if anything would")
    .option("--strict", "exit with 83 if a workload could not be changed")
    .option("--verify", "parse each changed document, and keep the change only if nothing else differs")
    .action(async (files: readonly string[], options: Options) => {
      const named = [...files, ...options.filename];
      const paths = named.length > 0 ? named : ["-"];
      checkOptions(options, paths);
      const inputs = await readInputs(paths, terminal);
      const outputs = await mutateInputs(inputs, await loadAnswers(options, terminal), options, terminal);
      finish(await finishOutputs(outputs, options, terminal));
    });
};
