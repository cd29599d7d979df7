import type { Block, Content } from "#libs/chat";
import type { EventData } from "#libs/events";
import { isStopScope } from "#libs/plan";
import { listChoices, nameResume, printText } from "#libs/wording";

import { clipHeader, clipLines, escapeMrkdwn, printMrkdwnTime, quoteMrkdwn } from "../mrkdwn.ts";

type Placed = EventData<"stopPlaced">;
type Resumed = EventData<"stopResumed">;

function nameEffect({ strength, cause }: Placed): string {
  if (cause === "rollback") return "it restores what main had before";
  if (cause === "rolledBack") return "what was rolled back stays on the old revision until a person ends this hold";
  return strength === "propose" ? "nothing new is proposed" : "no new batches; in-flight rollouts continue";
}

/** The commands that end the stop, in the same words as in the status. */
function listResume({ stop: id, scope, strength = "move", cause }: Placed, isRollingBack = false): readonly string[] {
  if (!isStopScope(scope)) return [];
  const choices = listChoices({ scope, isRollingBack, ...(cause === undefined ? {} : { cause }) });
  if (choices.length > 0)
    return choices.map((each) => `${quoteMrkdwn(each.command, 200)} ${escapeMrkdwn(printText(each.effect), 200)}`);
  const command = nameResume({ id, scope, strength, ...(cause === "rolledBack" ? { rollbackOf: id } : {}) });
  return [`*End it* ${quoteMrkdwn(command, 200)}`];
}

/** A hold does not stop what moves, so it must not be called a pause. */
function nameKind({ strength, cause }: Pick<Placed, "strength" | "cause">): {
  readonly icon: string;
  readonly word: string;
} {
  if (cause === "rollback") return { icon: ":rewind:", word: "Rolled back" };
  return strength === "propose" || cause === "rolledBack"
    ? { icon: ":raised_hand:", word: "Held" }
    : { icon: ":octagonal_sign:", word: "Paused" };
}

function showPlaced(data: Placed, isRollingBack?: boolean): readonly string[] {
  const { scope, who, why, until } = data;
  const { icon, word } = nameKind(data);
  const deadline =
    until === undefined ? [] : [`*Overdue after* ${printMrkdwnTime(until)}: it stays until a person ends it`];
  return [
    `${icon} *${word}: ${quoteMrkdwn(scope, 120)}* by ${escapeMrkdwn(who, 80)}: ${nameEffect(data)}`,
    `*Why* ${escapeMrkdwn(why, 600)}`,
    ...deadline,
    ...listResume(data, isRollingBack),
  ];
}

/**
 * A hold or a pause was placed: its owner, reason and effect, and what ends it; `isRollingBack`: a rollback of its run is in
 * force.
 */
export function renderStopPlaced(data: Placed, isRollingBack?: boolean): Content {
  const { word } = nameKind(data);
  const text = `${word}: ${escapeMrkdwn(data.scope, 120)}, by ${escapeMrkdwn(data.who, 80)}: ${escapeMrkdwn(data.why)}.`;
  return { text, blocks: [{ kind: "section", text: clipLines(showPlaced(data, isRollingBack), 3000) }] };
}

/** The first message of a stop outside of any run; once the stop is ended, the message begins with that. */
export function renderStopRoot(data: Placed, resume?: Pick<Resumed, "who" | "why" | "verb">): Content {
  const [placed, word] = [renderStopPlaced(data), resume === undefined ? nameKind(data).word : nameEnded(resume)];
  const header: Block = { kind: "header", text: clipHeader(`${word}: ${data.scope}`) };
  if (resume === undefined) return { text: placed.text, blocks: [header, ...placed.blocks] };
  const resumed = renderStopResumed({ ...resume, stops: [data.stop], scopes: [data.scope] });
  return { text: `${placed.text} ${resumed.text}`, blocks: [header, ...resumed.blocks, ...placed.blocks] };
}

/** A stop whose time has passed: it stays in force, and its owner is asked. */
export function renderStopOverdue(data: EventData<"stopOverdue">): Content {
  const { scope, who, until } = data;
  const kind = data.strength === "propose" ? "hold" : "pause";
  const text = `${escapeMrkdwn(who, 80)}, the ${kind} on ${escapeMrkdwn(scope, 120)} is overdue: is it still needed?`;
  const lines = [
    `:alarm_clock: *${escapeMrkdwn(who, 80)}: overdue since ${printMrkdwnTime(until)}.* ` +
      "It stays until a person ends it: is it still needed?",
    ...listResume(data),
  ];
  return { text, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}

/** Holds are unheld, pauses are resumed. */
function nameEnded({ verb }: Pick<Resumed, "verb">): string {
  return verb === "unhold" ? "Unheld" : "Resumed";
}

/** Stops were ended: by whom and why. */
export function renderStopResumed(data: Resumed): Content {
  const { stops, who, why, scopes } = data;
  const word = nameEnded(data);
  const names = [...new Set(scopes ?? stops)].map((name) => quoteMrkdwn(name, 120)).slice(0, 10);
  const lines = [
    `:arrow_forward: *${word}: ${names.join(", ")}* by ${escapeMrkdwn(who, 80)}`,
    `*Why* ${escapeMrkdwn(why, 600)}`,
  ];
  const text = `${word} by ${escapeMrkdwn(who, 80)}: ${escapeMrkdwn(why)}.`;
  return { text, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}
