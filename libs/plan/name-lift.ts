import type { ActiveStop } from "./active-stop.ts";

/** A pattern may hold what a shell reads. */
export function quoteForShell(text: string): string {
  return /^[\w/.:-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Holds, and those that returns leave behind, are lifted by another verb than pauses. */
export function nameLiftVerb(stop: Pick<ActiveStop, "strength" | "returnOf">): "resume" | "unhold" {
  return stop.strength === "propose" || stop.returnOf !== undefined ? "unhold" : "resume";
}

/** What a person types to lift a stop. */
export function nameLift(stop: Pick<ActiveStop, "id" | "scope" | "strength" | "returnOf" | "file">): string {
  if (stop.file !== undefined) return `meshroll validate ${quoteForShell(stop.file)}`;
  if (stop.id === "kubectl") return "kubectl -n meshroll-system delete configmap meshroll-stop";
  return `meshroll ${nameLiftVerb(stop)} ${quoteForShell(stop.scope)} --reason "…"`;
}
