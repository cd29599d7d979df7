import { cleanName, readNamespaceName, readNamespaceOfWorkload } from "#libs/input";
import type { FleetStatus } from "#libs/plan";

import type { Define, Invocation } from "../terminal/command.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { type ExplainSource, readSource } from "../show/explanations/source.ts";
import { explainNamespace, type Explanation } from "../show/explanations/explanation.ts";
import { readFindingPage, readWaitPage } from "../files/finding-page.ts";
import { addFleetOptions, type FleetOptions } from "../read/fleet-source.ts";
import { isNamespaceName } from "../show/plans/namespace-lines.ts";
import { addOutputOption, type OutputOptions } from "../options/output-option.ts";
import { type IdleFlags, refuseIdle } from "../session/idle-flags.ts";
import { readNow } from "../read/planner-time.ts";
import { printExplanation, printShort } from "../show/explanations/print-explanation.ts";
import { checkZone, type TimeOptions } from "../text/print-time.ts";
import { chooseProse, wrapText } from "../text/wrap-text.ts";
import { readPublished } from "../read/read-published.ts";
import { readRuns } from "../read/read-runs.ts";
import { findBus, withBus } from "../read/with-bus.ts";
import { Refusal } from "../terminal/refusal.ts";
import { addRepositoryOption, type RepositoryOptions } from "../read/repository.ts";
import { addSpecOptions, type SpecOptions } from "../options/spec-options.ts";
import { findMissingNamespace } from "../requests/subjects/known-namespace.ts";
import { readWidth, say, type Terminal, write } from "../terminal/terminal.ts";

type Format = "human" | "json" | "short";

type Options = SpecOptions & RepositoryOptions & FleetOptions & TimeOptions & OutputOptions<Format>;

/** A pipe has no columns: each line is whole, for grep. */
function chooseWidth(terminal: Terminal): number {
  const width = readWidth(terminal);
  return Number.isFinite(width) ? chooseProse(width) : width;
}

function print(explanation: Explanation, options: Options, terminal: Terminal): string {
  switch (options.output) {
    case "human":
      return printExplanation(explanation, options, terminal, chooseWidth(terminal));
    case "json":
      return `${JSON.stringify(explanation, null, 2)}\n`;
    case "short":
      return printShort(explanation);
  }
}

/** The code of a finding, or of a wait such as `GateNoData`. */
function isCode(subject: string): boolean {
  return /^(?:MR\d{4}|[A-Z][A-Za-z]+)$/u.test(subject);
}

function wrapProse(text: string, terminal: Terminal): string {
  const width = chooseWidth(terminal);
  return text
    .split("\n")
    .flatMap((line) => (line === "" ? [line] : wrapText(line, width)))
    .join("\n");
}

/** The code, or the namespace that a name in any form is of. */
function readSubject(text: string): string {
  const clean = cleanName(text);
  if (isCode(clean)) return clean;
  return (readNamespaceName(clean) ?? readNamespaceOfWorkload(clean))?.namespace ?? clean;
}

function refuseSubject(subject: string): Refusal {
  const help = "namespaces are [a-z0-9-], codes as MR1004 or GateNoData: docs/reference/findings.md, status.md";
  return new Refusal(exitCodes.usage, `\`${subject}\` is neither a namespace's name nor a code`, help);
}

function explainCode(code: string, terminal: Terminal): string {
  if (!code.startsWith("MR")) {
    const wait = readWaitPage(code);
    if (wait === undefined) throw refuseSubject(code);
    return wrapProse(wait, terminal);
  }
  const section = readFindingPage(code);
  if (section !== undefined) return section;
  throw new Refusal(exitCodes.usage, `${code} is not a finding's code`, "docs/reference/findings.md lists them");
}

/**
 * What runs is read where a fleet is named, or main is: a file of a folder belongs to no fleet. The one-line form waits for no
 * answer.
 */
function asksFleet({ commit }: ExplainSource, options: Options, { env }: Terminal): boolean {
  if (options.output === "short") return false;
  const named = [options.nats, options.kubeconfig, env["MESHROLL_NATS_URL"], commit];
  return named.some((each) => each !== undefined);
}

/** Where a fleet is known, a namespace in no cluster is refused as a typo; offline every name has an answer. */
async function refuseMissing(namespace: string, options: Options, terminal: Terminal): Promise<void> {
  const missing = await findMissingNamespace(namespace, options, terminal);
  if (missing === undefined) return;
  throw new Refusal(exitCodes.invalid, missing.message, ...missing.help, [
    "what the file gives a namespace of this name:  ",
    { command: `meshroll explain ${namespace} -o short` },
  ]);
}

/** The planner's status; undefined without a bus, or where it does not answer, which the part about what runs says. */
async function readPlannerStatus(options: Options, terminal: Terminal): Promise<FleetStatus | undefined> {
  const place = options.kubeconfig === undefined ? findBus(options, terminal) : undefined;
  if (place === undefined) return undefined;
  try {
    return await withBus(place, readPublished);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** What is known of a namespace: file, ledger, and what its pods run. */
export async function readExplanation(
  namespace: string,
  options: Options,
  isFileNamed: boolean,
  terminal: Terminal,
): Promise<Explanation> {
  const source = await readSource(namespace, options, isFileNamed, terminal);
  const isLive = asksFleet(source, options, terminal);
  const runs = isLive ? await readRuns(namespace, options, terminal) : undefined;
  if (runs !== undefined && "namespaces" in runs && runs.namespaces.length === 0) {
    await refuseMissing(namespace, options, terminal);
  }
  const now = isLive ? await readNow(options, terminal) : Date.now();
  const status = isLive ? await readPlannerStatus(options, terminal) : undefined;
  return explainNamespace(source, namespace, now, runs, status);
}

const idle: readonly IdleFlags<Options>[] = [
  {
    flags: ["file", "settings", "seed", "repo", "nats", "installation", "kubeconfig", "clusters", "tz"],
    when: (_, [subject = ""]) => isCode(subject),
    because: "would do nothing: a code's explanation is the same everywhere",
  },
  {
    flags: ["nats", "installation", "kubeconfig", "clusters", "tz"],
    when: ({ output }) => output === "short",
    because: "would do nothing: -o short says what the file says, not what runs",
  },
  {
    flags: ["file", "settings"],
    when: ({ repo }) => repo !== undefined,
    because: "and --repo name two places to read the file from",
    fix: "give one of them",
  },
];

/** `meshroll explain NAMESPACE|CODE`. Names of namespaces have no capitals, so the two cannot be confused. */
export const define: Define = (command, { terminal }: Invocation) => {
  const formats = ["human", "json", "short"] satisfies [Format, ...Format[]];
  refuseIdle(addOutputOption(addFleetOptions(addRepositoryOption(addSpecOptions(command))), formats), idle)
    .argument("<subject>", "a namespace or a workload of it, or a code such as MR1004 or GateNoData")
    .option("--tz <zone>", "time zone, as Europe/Berlin (default: this machine's)")
    .action(async (text: string, options: Options) => {
      const subject = readSubject(text);
      if (isCode(subject)) {
        const text = explainCode(subject, terminal);
        const kind = subject.startsWith("MR") ? "FindingPage" : "WaitPage";
        const page = { apiVersion: "meshroll.dev/v1", kind, code: subject, text };
        say(terminal.stdout, options.output === "json" ? `${JSON.stringify(page, undefined, 2)}\n` : text);
        return;
      }
      if (!isNamespaceName(subject)) throw refuseSubject(subject);
      checkZone(options);
      const isFileNamed = command.getOptionValueSource("file") === "cli";
      const explanation = await readExplanation(subject, options, isFileNamed, terminal);
      await write(terminal.stdout, print(explanation, options, terminal));
    });
};
