import type { ActiveStop } from "./active-stop.ts";

/** A pattern may hold what a shell reads. */
export function quoteForShell(text: string): string {
  return /^[\w/.:-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Holds, and those that returns leave behind, are lifted by another verb than pauses. */
export function nameResumeVerb(stop: Pick<ActiveStop, "strength" | "rollbackOf">): "resume" | "unhold" {
  return stop.strength === "propose" || stop.rollbackOf !== undefined ? "unhold" : "resume";
}

/** What a person types to lift a stop. */
export function nameResume(stop: Pick<ActiveStop, "id" | "scope" | "strength" | "rollbackOf" | "file">): string {
  if (stop.file !== undefined) return `meshroll validate ${quoteForShell(stop.file)}`;
  if (stop.id === "kubectl") return "kubectl -n meshroll-system delete configmap meshroll-stop";
  return `meshroll ${nameResumeVerb(stop)} ${quoteForShell(stop.scope)} --reason "…"`;
}
