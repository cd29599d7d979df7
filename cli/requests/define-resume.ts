import { findNamed, isStopScope } from "#libs/input";
import type { Bus } from "#libs/bus";
import { type FleetStatus, isPlacedByMeshroll, type StopScope, type VerbRequest } from "#libs/plan";
import { quoteForShell } from "#libs/wording";
import type { Command } from "commander";

import { makeRequestId, readWho } from "../terminal/caller.ts";
import { readPlannerTime } from "../read/planner-time.ts";
import { findUnknown } from "./check-scope.ts";
import type { Invocation } from "../terminal/command.ts";
import { confirm, requirePerson } from "../terminal/confirm.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { findResumed, nameCommand, type OpenStop, type ResumeSubject, type ResumeVerb } from "./find-resumed.ts";
import { listKnownStops, readLedger } from "./known-stops.ts";
import { addScopeFlags, chooseScopeText, type ScopeFlags } from "../names/scope-flags.ts";
import { parseScope, scopeHelp } from "../options/parse-scope.ts";
import { placeRequest } from "./place-request.ts";
import { findMissingRecord } from "./subjects/missing-record.ts";
import type { UnknownName } from "../names/unknown-name.ts";
import { listStaying, previewAll } from "./preview-resume.ts";
import { readPublished } from "../read/read-published.ts";
import { Refusal } from "../terminal/refusal.ts";
import { addRepositoryOption, type RepositoryOptions } from "../read/repository.ts";
import { type Terminal, write } from "../terminal/terminal.ts";
import { addVerbOptions, type VerbOptions } from "../options/verb-options.ts";
import { makeListener, reportOutcome, type VerbWords, writeJson, writeLines } from "./verb-report.ts";
import { requireBus, withBus } from "../read/with-bus.ts";
import type { Sentence } from "../terminal/sentence.ts";

interface Options extends VerbOptions, RepositoryOptions, ScopeFlags {
  readonly id?: string;
}

function readSubject(verb: ResumeVerb, text: string | undefined, { id }: Options): ResumeSubject {
  if ((text === undefined) === (id === undefined)) {
    throw new Refusal(
      exitCodes.usage,
      `say what to ${verb}: a scope, or one ${verb === "unhold" ? "hold" : "stop"} by --id ID`,
      [{ command: "meshroll status" }, "  lists them"],
    );
  }
  return text === undefined ? { id: id ?? "" } : { scope: parseScope(text) };
}

function describeStop({ id, scope, who, why }: OpenStop): string {
  return `  ${id} on ${scope}, by ${who}: ${why}`;
}

/** Further effects of the resume. */
function describeAfter(
  verb: ResumeVerb,
  resumed: readonly OpenStop[],
  known: readonly OpenStop[],
): readonly Sentence[] {
  const again = quoteForShell(resumed[0]?.scope ?? "all");
  const rollback = resumed.find(({ cause }) => cause === "rollback");
  const kubectl = known.find(({ id, scope }) => id === "kubectl" && resumed.some((stop) => stop.scope === scope));
  return [
    ...(kubectl === undefined
      ? []
      : [[`  the stop placed by kubectl on ${kubectl.scope} stays:  `, { command: nameCommand(kubectl) }]]),
    ...(rollback === undefined ? [] : [`  the rollback of ${rollback.scope} is ended too: main moves forward again`]),
    ...(resumed.some(({ cause }) => cause === "failures")
      ? [["  failed workloads stay skipped;  ", { command: "meshroll retry" }, "  tries them again"]]
      : []),
    ...(verb === "resume"
      ? [
          ["  see what moves:  ", { command: "meshroll status" }],
          ["  stop it again:  ", { command: `meshroll pause ${again} --reason "…"` }],
        ]
      : [
          "  stages are proposed again; merged changes continue",
          ["  hold it again:  ", { command: `meshroll hold ${again} --reason "…"` }],
        ]),
  ];
}

/** The scope in the request next to its ids: the typed one, or that of the record. */
async function nameScope(subject: ResumeSubject, resumed: readonly OpenStop[]): Promise<StopScope> {
  const scope = "scope" in subject ? subject.scope : (resumed[0]?.scope ?? "all");
  return isStopScope(scope) ? scope : "all";
}

/** The planner's status, and the known stops in force. */
interface InForce {
  readonly status: FleetStatus | undefined;
  readonly known: readonly OpenStop[];
}

/** The number of stops that are listed where the named one is not in force. */
const shown = 5;

function listInForce(known: readonly OpenStop[]): readonly Sentence[] {
  if (known.length === 0) return ["no stop is active"];
  const some = known
    .slice(0, shown)
    .flatMap((stop): readonly Sentence[] => [describeStop(stop), ["    ", { command: nameCommand(stop) }]]);
  const more =
    known.length > shown ? [[`  … and ${known.length - shown} more:  `, { command: "meshroll status -o json" }]] : [];
  return ["active stops:", ...some, ...more];
}

/** Why no stop of that name can exist; undefined when its subject exists and is not stopped. */
async function findUnknownSubject(
  bus: Bus,
  subject: ResumeSubject,
  { status, known }: InForce,
  options: Options,
  terminal: Terminal,
): Promise<UnknownName | undefined> {
  const scope = "scope" in subject ? subject.scope : undefined;
  if (scope !== undefined && findNamed("run", scope) === undefined) return findUnknown(bus, scope, status);
  if (status?.runs.some(({ id }) => `run/${id}` === scope) === true) return undefined;
  return findMissingRecord(subject, await readLedger(options, terminal), known);
}

/**
 * Ends with 65 where no stop is on the scope, as for an unknown name: nothing was resumed, and what is meant may be held on
 * another scope. A stop that was resumed before is what was wanted.
 */
async function writeNothing(
  bus: Bus,
  terminal: Terminal,
  options: Options,
  verb: ResumeVerb,
  subject: ResumeSubject,
  inForce: InForce,
): Promise<void> {
  const { known } = inForce;
  const unknown = await findUnknownSubject(bus, subject, inForce, options, terminal);
  if (unknown !== undefined) {
    const message = `nothing to ${verb}: ${unknown.message}`;
    throw new Refusal(exitCodes.invalid, message, ...unknown.help, ...listInForce(known));
  }
  const isBefore = "id" in subject;
  const kind = verb === "unhold" ? "hold" : "stop";
  const named = isBefore ? `stop ${subject.id} has ended already` : `no ${kind} on exactly ${subject.scope} is active`;
  const answer = `nothing to ${verb}: ${named}`;
  if (options.output === "json") {
    const report = { apiVersion: "meshroll.dev/v1", kind: "VerbReport", stops: [], recorded: false, answer };
    await write(terminal.stdout, `${JSON.stringify(report, undefined, 2)}\n`);
  }
  if (!isBefore) throw new Refusal(exitCodes.invalid, answer, ...listInForce(known));
  if (options.output !== "json") await writeLines(terminal, [answer, ...listInForce(known)]);
}

async function printDryRun(
  terminal: Terminal,
  request: VerbRequest,
  words: VerbWords,
  options: Options,
  lines: readonly Sentence[],
): Promise<void> {
  if (options.output === "json") await writeJson(terminal, request, words, { dryRun: true });
  else
    await writeLines(terminal, [
      `would ${words.verb}`,
      ...lines,
      ...words.after,
      "  no request was sent: this is a dry run",
    ]);
}

/**
 * A script that resumes its own pause must not end a stop that meshroll placed meanwhile: such a stop is named by its id, which
 * requires reading its reason.
 */
function refuseUnnamed(verb: ResumeVerb, own: OpenStop | undefined, subject: ResumeSubject, { yes }: Options): void {
  if (own === undefined || yes !== true || "id" in subject) return;
  throw new Refusal(
    exitCodes.refused,
    `meshroll placed ${own.id} on ${own.scope} itself: ${own.why}`,
    [{ command: `meshroll ${verb} --id ${own.id} --yes --reason "…"` }, "  ends it without being asked"],
    [{ command: `meshroll ${verb} ${quoteForShell(own.scope)} --reason "…"` }, "  shows what moves then, and asks"],
  );
}

/** Shows what ends, and asks before a stop of meshroll's ends; with JSON the text goes to stderr. */
async function agree(
  verb: ResumeVerb,
  own: OpenStop | undefined,
  lines: readonly Sentence[],
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const mustConfirm = own !== undefined && options.yes !== true;
  if (mustConfirm) requirePerson(terminal);
  const isHuman = options.output === "human";
  const place = isHuman ? terminal : { ...terminal, stdout: terminal.stderr };
  if (isHuman || mustConfirm) await writeLines(place, [verb === "unhold" ? "unholding" : "resuming", ...lines]);
  if (mustConfirm) await confirm(own.scope, terminal);
}

async function resume(
  bus: Bus,
  verb: ResumeVerb,
  subject: ResumeSubject,
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const status = await readPublished(bus);
  const known = await listKnownStops(status, options, terminal);
  if (known === undefined) {
    const help = "is a planner running?  --repo URL  reads the ledger instead";
    throw new Refusal(
      exitCodes.tryLater,
      "the active stops are unknown: no planner has published, and no ledger is available",
      help,
    );
  }
  const who = readWho(terminal);
  const resumed = findResumed(verb, subject, known, who);
  if (resumed.length === 0) {
    await writeNothing(bus, terminal, options, verb, subject, { status, known });
    return;
  }
  const request: VerbRequest = {
    id: makeRequestId(verb),
    verb: "resume",
    scope: await nameScope(subject, resumed),
    strength: verb === "resume" ? "move" : "propose",
    who,
    why: options.reason,
    at: new Date(readPlannerTime(status)).toISOString(),
    // By id, so that a stop placed by another person at this moment does not end (rules 7.5).
    stops: resumed.map(({ id }) => id),
  };
  const words: VerbWords = { verb, after: describeAfter(verb, resumed, known) };
  const ours = resumed.filter(isPlacedByMeshroll);
  const lines = [...resumed.map(describeStop), ...previewAll(ours, status), ...listStaying(resumed, known)];
  if (options.dryRun === true) {
    await printDryRun(terminal, request, words, options, lines);
    return;
  }
  refuseUnnamed(verb, ours[0], subject, options);
  await agree(verb, ours[0], lines, options, terminal);
  const limits = { isStop: false, timeoutMs: options.timeout };
  const outcome = await placeRequest(bus, request, limits, makeListener(words, options, terminal));
  await reportOutcome(terminal, options, request, words, outcome);
}

/** `resume` and `unhold`: the same steps for two kinds of stops. */
export function defineResume(command: Command, { terminal }: Invocation, verb: ResumeVerb): void {
  addRepositoryOption(addVerbOptions(addScopeFlags(command), "until it is recorded"))
    .argument("[scope]", scopeHelp)
    .option("--id <id>", "exactly this stop, regardless of its scope")
    .action(async (text: string | undefined, options: Options) => {
      const subject = readSubject(verb, chooseScopeText(text, options), options);
      const place = requireBus(options, terminal);
      await withBus(place, async (bus) => resume(bus, verb, subject, options, terminal));
    });
}
