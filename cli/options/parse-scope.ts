import { cleanName, findNamed, findScopeKind, isCommitId, isStopScope, type StopScope } from "#libs/input";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

/** The help for `<scope>`. */
export const scopeHelp = "a campaign's name, run/ID, cluster/NAME, namespace/NAME, bucket/PATTERN or all";

/** A commit's full id is shortened to a run's id. A bare name is a campaign's. */
function complete(text: string): string {
  if (text !== "all" && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/u.test(text)) return `campaign/${text}`;
  const commit = findNamed("run", text) ?? "";
  return isCommitId(commit) ? `run/${commit.slice(0, 12)}` : text;
}

/** Why a text is not a scope. */
function refuseScope(text: string): Refusal {
  const kind = findScopeKind(text);
  if (kind === "run") {
    const help = [
      "a run's id is 12 hex digits:  ",
      { command: "meshroll status" },
      "  or  ",
      { command: "meshroll history" },
      "  names them",
    ];
    return new Refusal(exitCodes.usage, `${text} names no run`, help);
  }
  if (kind === "cluster" || kind === "namespace" || kind === "campaign") {
    const message = `${text}: that is not the name of a cluster, namespace or campaign`;
    return new Refusal(exitCodes.usage, message, "names are [a-z0-9-], at most 63 characters");
  }
  return new Refusal(exitCodes.usage, `${text} is not a scope`, `say ${scopeHelp}`);
}

/** A scope by rules 7.1; refuses one that would bind nothing. */
export function parseScope(text: string): StopScope {
  const scope = complete(text);
  if (isStopScope(scope)) return scope;
  // As it is copied from a screen or a comment, in quotes.
  const clean = complete(cleanName(text));
  if (!isStopScope(clean)) throw refuseScope(scope);
  return clean;
}

/** The id of a run that was typed as `run/ID`, its id, or its commit; undefined for another name. */
export function findRunTyped(name: string): string | undefined {
  const text = findNamed("run", name) ?? (/^[0-9a-f]{12}(?:[0-9a-f]{28})?$/u.test(name) ? name : undefined);
  return text?.slice(0, 12);
}

/** A scope; a bare run id and a bare campaign name differ in form. */
export function parseSubject(text: string): StopScope {
  const clean = cleanName(text);
  const typed = findNamed("run", clean) === undefined ? findRunTyped(clean) : undefined;
  return parseScope(typed === undefined ? text : `run/${typed}`);
}

/** A run or a campaign. */
export function parseRunOrCampaign(text: string): { readonly run: string } | { readonly campaign: string } {
  const scope = parseSubject(text);
  const [run, campaign] = [findNamed("run", scope), findNamed("campaign", scope)];
  if (run !== undefined) return { run };
  if (campaign !== undefined) return { campaign };
  throw new Refusal(exitCodes.usage, `${text} names no run and no campaign`, [
    "say a campaign's name or run/ID:  ",
    { command: "meshroll status" },
    "  or  ",
    { command: "meshroll history" },
    "  names them",
  ]);
}
