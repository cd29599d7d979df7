import { type LabelRequirement, parseLabelSelector } from "#libs/campaign";
import { type Command, InvalidArgumentError } from "commander";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Kind } from "./kinds.ts";

/** The part of the fleet that a command is about. */
export interface PartOptions {
  readonly cluster?: string;
  readonly namespace?: string;
  readonly selector?: readonly LabelRequirement[];
}

function readSelector(text: string): readonly LabelRequirement[] {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) throw new InvalidArgumentError(parsed.message);
  if (parsed.requirements.length === 0) throw new InvalidArgumentError("say a label: team=payments, env!=test, tier");
  return parsed.requirements;
}

/** `--cluster`, `-n` and `-l`, as in kubectl. */
export function addPartOptions(command: Command): Command {
  return command
    .option("--cluster <name>", "only in this cluster")
    .option("-n, --namespace <name>", "only in this namespace")
    .option("-l, --selector <labels>", "only in namespaces with these labels: team=a,env!=test", readSelector);
}

/** Which of the three options a kind has. */
const parts: Readonly<Partial<Record<Kind, readonly (keyof PartOptions)[]>>> = {
  batches: ["cluster"],
  namespaces: ["cluster", "namespace", "selector"],
  workloads: ["cluster", "namespace", "selector"],
  vms: ["cluster", "namespace"],
  failures: ["cluster", "namespace", "selector"],
  skipped: ["cluster", "namespace", "selector"],
  drift: ["cluster", "namespace", "selector"],
  revisions: ["cluster", "namespace", "selector"],
};

/** Refuses an option that would have no effect for the kind. */
export function checkPart(kind: Kind, options: PartOptions): void {
  const names = ["cluster", "namespace", "selector"] as const;
  const wrong = names.find((name) => options[name] !== undefined && parts[kind]?.includes(name) !== true);
  if (wrong === undefined) return;
  const others = Object.entries(parts).flatMap(([other, has]) => (has.includes(wrong) ? [other] : []));
  throw new Refusal(
    exitCodes.usage,
    `${kind} cannot be listed by --${wrong}`,
    `--${wrong} goes with: ${others.join(", ")}`,
  );
}
