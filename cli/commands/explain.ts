import { sayCommand } from "../terminal/called-as.ts";
import type { Define, Invocation } from "../terminal/command.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { type ExplainSource, readSource } from "../show/plans/explain-source.ts";
import { explainNamespace, type Explanation } from "../show/plans/explanation.ts";
import { readFindingPage } from "../files/finding-page.ts";
import { addFleetOptions, type FleetOptions } from "../read/fleet-source.ts";
import { isNamespaceName } from "../show/plans/namespace-lines.ts";
import { addOutputOption, type OutputOptions } from "../options/output-option.ts";
import { readNow } from "../read/planner-time.ts";
import { printExplanation, printShort } from "../show/plans/print-explanation.ts";
import { checkZone, type TimeOptions } from "../text/print-time.ts";
import { readRuns } from "../read/read-runs.ts";
import { Refusal } from "../terminal/refusal.ts";
import { addRepositoryOption, type RepositoryOptions } from "../read/repository.ts";
import { addSpecOptions, type SpecOptions } from "../options/spec-options.ts";
import { findMissingNamespace } from "../requests/subjects/known-namespace.ts";
import { say, type Terminal, write } from "../terminal/terminal.ts";

type Format = "human" | "json" | "short";

type Options = SpecOptions & RepositoryOptions & FleetOptions & TimeOptions & OutputOptions<Format>;

function print(explanation: Explanation, options: Options, terminal: Terminal): string {
  switch (options.output) {
    case "human":
      return printExplanation(explanation, options, (command) => sayCommand(command, terminal));
    case "json":
      return `${JSON.stringify(explanation, null, 2)}\n`;
    case "short":
      return printShort(explanation);
  }
}

function explainCode(code: string): string {
  const section = readFindingPage(code);
  if (section !== undefined) return section;
  throw new Refusal(exitCodes.usage, `${code} is not a finding's code`, "docs/reference/findings.md lists them");
}

/**
 * What runs is asked where the fleet is named, or next to main: a file of a folder says nothing of a fleet. One line for scripts
 * waits for no answer.
 */
function asksFleet({ commit }: ExplainSource, options: Options, { env }: Terminal): boolean {
  if (options.output === "short") return false;
  const named = [options.nats, options.kubeconfig, env["MESHROLL_NATS_URL"], commit];
  return named.some((each) => each !== undefined);
}

/** A namespace that no cluster has is a slip of the pen where a fleet is at hand; offline every name has an answer. */
async function refuseMissing(namespace: string, options: Options, terminal: Terminal): Promise<void> {
  const missing = await findMissingNamespace(namespace, options, terminal);
  if (missing === undefined) return;
  throw new Refusal(exitCodes.invalid, missing.message, ...missing.help, [
    "what the file says of such a name:  ",
    { command: `meshroll explain ${namespace} -o short` },
  ]);
}

/** `meshroll explain NAMESPACE|MRnnnn`. Names of namespaces have no capitals, so the two never meet. */
export const define: Define = (command, { terminal }: Invocation) => {
  const formats = ["human", "json", "short"] satisfies [Format, ...Format[]];
  addOutputOption(addFleetOptions(addRepositoryOption(addSpecOptions(command))), formats)
    .argument("<subject>", "a namespace, or the code of a finding such as MR1004")
    .option("--tz <zone>", "time zone, as Europe/Berlin (default: this machine's)")
    .action(async (subject: string, options: Options) => {
      if (/^MR\d{4}$/.test(subject)) {
        const text = explainCode(subject);
        const page = { apiVersion: "meshroll.dev/v1", kind: "FindingPage", code: subject, text };
        say(terminal.stdout, options.output === "json" ? `${JSON.stringify(page, undefined, 2)}\n` : text);
        return;
      }
      if (!isNamespaceName(subject)) {
        const help = "namespaces are [a-z0-9-], codes as MR1004";
        throw new Refusal(exitCodes.usage, `\`${subject}\` is neither a namespace's name nor a finding's code`, help);
      }
      checkZone(options);
      const isFileNamed = command.getOptionValueSource("file") === "cli";
      const source = await readSource(options, isFileNamed, terminal);
      const isLive = asksFleet(source, options, terminal);
      const runs = isLive ? await readRuns(subject, options, terminal) : undefined;
      if (runs !== undefined && "workloads" in runs && runs.workloads.length === 0) {
        await refuseMissing(subject, options, terminal);
      }
      const now = isLive ? await readNow(options, terminal) : Date.now();
      await write(terminal.stdout, print(await explainNamespace(source, subject, now, runs), options, terminal));
    });
};
