import type { Block, Content } from "#libs/chat";
import type { EventData } from "#libs/events";
import { isStopScope, nameLift } from "#libs/plan";

import { clipHeader, clipLines, escapeMrkdwn, printMrkdwnTime, quoteMrkdwn } from "./mrkdwn.ts";

type Placed = EventData<"stopPlaced">;
type Lifted = EventData<"stopLifted">;

function nameEffect({ strength, cause }: Placed): string {
  if (cause === "rollback") return "it goes back to what main had before";
  if (cause === "return") return "what went back stays back until a person lifts this";
  return strength === "propose" ? "nothing new is proposed" : "nothing more starts; what rolls finishes";
}

/** The same words as in the status. */
function listLift({ stop: id, scope, strength = "move", cause }: Placed): readonly string[] {
  if (!isStopScope(scope)) return [];
  const command = nameLift({ id, scope, strength, ...(cause === "return" ? { returnOf: id } : {}) });
  return [`*Lift* ${quoteMrkdwn(command, 200)}`];
}

/** A hold is no stop of anything that moves: people must not think so. */
function nameKind({ strength, cause }: Pick<Placed, "strength" | "cause">): {
  readonly icon: string;
  readonly word: string;
} {
  if (cause === "rollback") return { icon: ":rewind:", word: "Rolled back" };
  return strength === "propose"
    ? { icon: ":raised_hand:", word: "Held" }
    : { icon: ":octagonal_sign:", word: "Paused" };
}

function showPlaced(data: Placed): readonly string[] {
  const { scope, who, why, until } = data;
  const { icon, word } = nameKind(data);
  const deadline = until === undefined ? [] : [`*Overdue after* ${printMrkdwnTime(until)}: nothing resumes by itself`];
  return [
    `${icon} *${word}: ${quoteMrkdwn(scope, 120)}* by ${escapeMrkdwn(who, 80)}: ${nameEffect(data)}`,
    `*Why* ${escapeMrkdwn(why, 600)}`,
    ...deadline,
    ...listLift(data),
  ];
}

/** A hold or a pause was placed: who, why, what it does, and what lifts it. */
export function renderStopPlaced(data: Placed): Content {
  const { word } = nameKind(data);
  const text = `${word}: ${escapeMrkdwn(data.scope, 120)}, by ${escapeMrkdwn(data.who, 80)}: ${escapeMrkdwn(data.why)}.`;
  return { text, blocks: [{ kind: "section", text: clipLines(showPlaced(data), 3000) }] };
}

/** The root of a stop outside of any run; once it is lifted, that is what the channel shows first. */
export function renderStopRoot(data: Placed, lift?: Pick<Lifted, "who" | "why">): Content {
  const [placed, word] = [renderStopPlaced(data), lift === undefined ? nameKind(data).word : "Lifted"];
  const header: Block = { kind: "header", text: clipHeader(`${word}: ${data.scope}`) };
  if (lift === undefined) return { text: placed.text, blocks: [header, ...placed.blocks] };
  const lifted = renderStopLifted({ ...lift, stops: [data.stop], scopes: [data.scope] });
  return { text: `${placed.text} ${lifted.text}`, blocks: [header, ...lifted.blocks, ...placed.blocks] };
}

/** A stop whose time has passed: it stays, and its owner is asked. */
export function renderStopOverdue(data: EventData<"stopOverdue">): Content {
  const { scope, who, until } = data;
  const kind = data.strength === "propose" ? "hold" : "pause";
  const text = `${escapeMrkdwn(who, 80)}, the ${kind} on ${escapeMrkdwn(scope, 120)} is overdue: does it have to stay?`;
  const lines = [
    `:alarm_clock: *${escapeMrkdwn(who, 80)}: overdue since ${printMrkdwnTime(until)}.* Nothing resumes by itself; does it have to stay?`,
    ...listLift(data),
  ];
  return { text, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}

/** Stops were lifted: by whom and why. */
export function renderStopLifted({ stops, who, why, scopes }: Lifted): Content {
  const names = [...new Set(scopes ?? stops)].map((name) => quoteMrkdwn(name, 120)).slice(0, 10);
  const lines = [
    `:arrow_forward: *Lifted: ${names.join(", ")}* by ${escapeMrkdwn(who, 80)}`,
    `*Why* ${escapeMrkdwn(why, 600)}`,
  ];
  const text = `Lifted by ${escapeMrkdwn(who, 80)}: ${escapeMrkdwn(why)}.`;
  return { text, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}
