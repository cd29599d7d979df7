import type { Bus } from "#libs/bus";
import type { FleetStatus, VerbRequest } from "#libs/plan";
import { nameResume } from "#libs/wording";

import { makeRequestId, readWho } from "../terminal/caller.ts";
import { readPlannerTime } from "../read/planner-time.ts";
import { checkScope } from "./check-scope.ts";
import { parseScope } from "../options/parse-scope.ts";
import { parseUntil, type UntilOptions } from "../options/parse-until.ts";
import { placeRequest } from "./place-request.ts";
import { printTime } from "../text/print-time.ts";
import { listClustersOnBus, listConcerned } from "../read/bus/read-clusters.ts";
import { readPublished } from "../read/read-published.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { VerbOptions } from "../options/verb-options.ts";
import { makeListener, reportOutcome, type VerbWords, writeJson, writeLines } from "./verb-report.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** A typed stop; its id is the same by the bus and by kubeconfig. */
export interface TypedStop {
  readonly verb: "pause" | "hold";
  readonly id: string;
  readonly scope: string;
  readonly options: VerbOptions & UntilOptions;
}

/** `now` is epoch ms of the clock that judges `until`. */
export function makeStopRequest(typed: TypedStop, terminal: Terminal, now: number): VerbRequest {
  const { verb, id, options } = typed;
  const until = parseUntil(options, now);
  return {
    id,
    verb: "stop",
    scope: parseScope(typed.scope),
    strength: verb === "pause" ? "move" : "propose",
    who: readWho(terminal),
    why: options.reason,
    at: new Date(now).toISOString(),
    ...(until === undefined ? {} : { until }),
  };
}

/** A stop as typed, with an id of its own. */
export function typeStop(verb: TypedStop["verb"], scope: string, options: TypedStop["options"]): TypedStop {
  return { verb, id: makeRequestId(verb), scope, options };
}

function describeAfter(request: VerbRequest): readonly Sentence[] {
  const { strength, until, who } = request;
  const effect =
    strength === "move"
      ? "no new batches; in-flight rollouts continue, and failures are reverted"
      : "nothing is proposed, and meshroll/plan is red in its scope; merged changes continue";
  const end =
    until === undefined ? [] : [`  overdue ${printTime(Date.parse(until))}: then ${who} is reminded; it stays active`];
  return [`  ${effect}`, ...end, ["  end it:  ", { command: nameResume(request) }]];
}

async function printDryRun(
  bus: Bus,
  request: VerbRequest,
  words: VerbWords,
  options: VerbOptions,
  terminal: Terminal,
): Promise<void> {
  const concerned = request.strength === "move" ? listConcerned(await listClustersOnBus(bus), request.scope) : [];
  if (options.output === "json") {
    await writeJson(terminal, request, words, { dryRun: true, clusters: concerned });
    return;
  }
  const whom =
    request.strength === "move"
      ? ` in ${concerned.join(", ") || "no cluster: no executor on this bus runs with --act"}`
      : "";
  await writeLines(terminal, [
    `would ${words.verb} ${request.scope}${whom}`,
    ...words.after,
    "  no request was sent: this is a dry run",
  ]);
}

/** Places the stop by the bus: checks, places, follows and reports it. */
export async function placeStop(bus: Bus, typed: TypedStop, terminal: Terminal): Promise<void> {
  const status: FleetStatus | undefined = await readPublished(bus);
  const request = makeStopRequest(typed, terminal, readPlannerTime(status));
  await checkScope(bus, request.scope, status);
  const words: VerbWords = { verb: typed.verb, after: describeAfter(request) };
  const { options } = typed;
  if (options.dryRun === true) {
    await printDryRun(bus, request, words, options, terminal);
    return;
  }
  const limits = { isStop: request.strength === "move", timeoutMs: options.timeout };
  const outcome = await placeRequest(bus, request, limits, makeListener(words, options, terminal));
  await reportOutcome(terminal, options, request, words, outcome);
}
