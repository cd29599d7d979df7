import type { GateMoment } from "#libs/campaign";
import { type LedgerState, surveyFleet, type World } from "#libs/plan";

import { passGates, readGates } from "../../libs/plan/gates/index.ts";
import { runId, sha } from "./build.ts";

type GateAnswer = ReturnType<typeof passGates>;
type GateReading = ReturnType<typeof readGates> extends ReadonlyMap<string, infer Reading> ? Reading : never;

function show(world: World) {
  const head = world.specs.get(sha("head"));
  const { ledger } = world;
  if (head === undefined || ledger === undefined) throw new Error("the world has no head");
  const view = surveyFleet(world, head).views.find(({ run }) => run.id === runId);
  if (view === undefined) throw new Error("the world has no open run");
  return { head, ledger, view };
}

/** What the gates of one moment answer in a world of `makeGateWorld`. */
export function askGates(world: World, moment: GateMoment): GateAnswer {
  const { head, ledger, view } = show(world);
  return passGates(world, ledger, head, view, moment);
}

/** The same as a test wants to read it: `pass`, `wait CODE`, `fail`, `stop` or `passed` where that is to be recorded. */
export function tellAnswer(world: World, moment: GateMoment): string {
  const answer = askGates(world, moment);
  // What it counted is pushed first, and then it is asked again.
  if (answer.kind === "record" && answer.decision.kind === "countGate")
    return tellAnswer({ ...world, ledger: answer.decision.ledger }, moment);
  if (answer.kind === "pass") return "pass";
  if (answer.kind === "wait") return `wait ${answer.reason.code}`;
  const { decision } = answer;
  if (decision.kind === "placeStop") return `stop ${decision.stop.cause} ${decision.stop.gate}`;
  if (decision.kind !== "judgeGate") return decision.kind;
  return `record ${decision.run.gates?.[decision.gate]?.verdict}`;
}

/** What the gate `g` says now, without what `onNoData` makes of it; undefined when its time is not now. */
export function readGateNow(world: World, name = "g"): GateReading | undefined {
  const { head, ledger, view } = show(world);
  return readGates(world, ledger, head, view).get(name);
}

/** The world after one record was pushed. */
export function pushRecord(world: World, moment: GateMoment): World {
  const answer = askGates(world, moment);
  if (answer.kind !== "record") throw new Error(`nothing to record: ${answer.kind}`);
  const ledger: LedgerState = answer.decision.ledger;
  return { ...world, ledger };
}
