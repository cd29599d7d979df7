import type { VerbRequest } from "#libs/plan";

import { exitCodes } from "../terminal/exit-codes.ts";
import { type RequestListener, type RequestOutcome, isRefused } from "./place-request.ts";
import { printAge } from "../text/print-time.ts";
import { refuseOtherVersion } from "../options/refuse-other-version.ts";
import { Refusal } from "../terminal/refusal.ts";
import { say, type Terminal, write } from "../terminal/terminal.ts";
import type { VerbOptions } from "../options/verb-options.ts";
import { wrapSentences } from "../text/wrap-text.ts";
import { type Sentence, splitLastCommand } from "../terminal/sentence.ts";

/** The words of a verb. */
export interface VerbWords {
  /** `pause`, `rollback`, … as typed. */
  readonly verb: string;
  /** The line for a cluster's acknowledgement: `stopped in prod-a`. */
  readonly inCluster?: string;
  /** Hints after it is recorded. */
  readonly after: readonly Sentence[];
}

function printSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

type Outlet = Pick<Terminal, "stdout" | "env">;

/** Wrapped to the terminal, with commands as they are typed there. */
function printLines(lines: readonly Sentence[], terminal: Outlet): string {
  return `${wrapSentences(lines, terminal).join("\n")}\n`;
}

/** Lines for people. */
export async function writeLines(terminal: Outlet, lines: readonly Sentence[]): Promise<void> {
  if (lines.length > 0) await write(terminal.stdout, printLines(lines, terminal));
}

/** Prints each acknowledgement as it comes; nothing with JSON. */
export function makeListener(words: VerbWords, { output }: VerbOptions, terminal: Terminal): RequestListener {
  const printLine = (line: Sentence) => void (output === "human" && say(terminal.stdout, printLines([line], terminal)));
  return {
    onStopped: (cluster, afterMs) =>
      printLine(`✔ ${words.inCluster ?? "stopped in"} ${cluster}   ${printSeconds(afterMs)}`),
    onAnswer(answer, afterMs) {
      if (isRefused(answer)) return;
      // "Nothing to do" is neither success nor failure.
      const answered = `✔ recorded   ${printSeconds(afterMs)}   ${answer.text}`;
      printLine(answer.outcome === "nothing" ? splitLastCommand(answer.text) : answered);
    },
  };
}

/** The verb and its result for programs; all verbs have the same fields. */
export async function writeJson(
  terminal: Terminal,
  request: VerbRequest,
  words: VerbWords,
  more: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { verb: _, ...asked } = request;
  const report = { apiVersion: "meshroll.dev/v1", kind: "VerbReport", verb: words.verb, ...asked, verified: false };
  await write(terminal.stdout, `${JSON.stringify({ ...report, ...more }, undefined, 2)}\n`);
}

function describeSilent({ silent }: RequestOutcome): string {
  return silent.map(({ cluster, seenAt }) => `${cluster} (seen ${printAge(Date.now() - seenAt)} ago)`).join(", ");
}

/** What is missing when the time is over, and what that means. */
function refuseIncomplete(outcome: RequestOutcome, { timeout }: VerbOptions): void {
  const { silent, answer, unread } = outcome;
  if (unread !== undefined)
    throw refuseOtherVersion(
      "the planner has the request, but its answer, done or refused, cannot be read here",
      unread,
    );
  const seconds = timeout / 1000;
  const unrecorded =
    `no planner recorded it within ${seconds} s; the request stays queued, ` +
    "and the next planner that starts records it";
  if (silent.length > 0) {
    const rest = answer === undefined ? `; and ${unrecorded}` : "";
    throw new Refusal(
      exitCodes.tryLater,
      `not stopped within ${seconds} s: ${describeSilent(outcome)}${rest}`,
      "its executor is down (then nothing starts there), or cannot write to its cluster; stop it by hand:",
      ["  ", { command: "kubectl --context CLUSTER -n meshroll-system create configmap meshroll-stop" }],
    );
  }
  if (answer === undefined)
    throw new Refusal(exitCodes.tryLater, unrecorded, ["is a planner running?  ", { command: "meshroll status" }]);
}

/** Ends a verb: last lines, JSON, and the exit code by what is missing. */
export async function reportOutcome(
  terminal: Terminal,
  options: VerbOptions,
  request: VerbRequest,
  words: VerbWords,
  outcome: RequestOutcome,
): Promise<void> {
  const { answer, unread, stopped, silent } = outcome;
  if (options.output === "json") {
    const clusters = {
      stopped: stopped.map(({ cluster, afterMs }) => ({ cluster, afterMs: Math.round(afterMs) })),
      silent,
    };
    await writeJson(terminal, request, words, {
      ...clusters,
      recorded: unread === undefined ? answer !== undefined : null,
      answer: answer?.text ?? null,
    });
  }
  if (answer?.outcome === "refused") throw new Refusal(exitCodes.invalid, answer.text);
  refuseIncomplete(outcome, options);
  if (options.output === "json" || answer === undefined || answer.outcome === "nothing") return;
  // Only GitHub proves a name, so one from the shell is called unverified.
  await writeLines(terminal, [...words.after, `  by ${request.who} (unverified)`]);
}
