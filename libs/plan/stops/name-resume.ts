import type { Reason } from "../records/index.ts";
import type { ActiveStop } from "./active-stop.ts";

/** A pattern may hold what a shell reads. */
export function quoteForShell(text: string): string {
  return /^[\w/.:-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Holds, and those that returns leave behind, are lifted by another verb than pauses. */
/** What a person types to lift a stop. */
export function nameResumeVerb(stop: Pick<ActiveStop, "strength" | "rollbackOf">): "resume" | "unhold" {
  return stop.strength === "propose" || stop.rollbackOf !== undefined ? "unhold" : "resume";
}

type Ended = Pick<ActiveStop, "id" | "scope" | "strength" | "rollbackOf" | "file" | "campaigns">;

/** What a person types to lift a stop. */
export function nameResume(stop: Ended): string {
  if (stop.campaigns !== undefined) return `meshroll rollback ${stop.scope} --reason "…"`;
  if (stop.file !== undefined) return `meshroll validate ${quoteForShell(stop.file)}`;
  if (stop.id === "kubectl") return "kubectl -n meshroll-system delete configmap meshroll-stop";
  return `meshroll ${nameResumeVerb(stop)} ${quoteForShell(stop.scope)} --reason "…"`;
}

/** A stop as what waits for it names it. */
export function explainStop(stop: Ended & Pick<ActiveStop, "who" | "why">): Reason {
  const { scope, who, why, campaigns } = stop;
  const code = campaigns === undefined ? "Stopped" : "SeveralCampaigns";
  return { code, message: `${scope} is stopped by ${who}: ${why}`, owner: who, command: nameResume(stop) };
}
