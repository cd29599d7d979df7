import type { StopScope } from "#libs/plan";

import { exitCodes } from "./exit-codes.ts";
import { Refusal } from "./refusal.ts";

/** What stands behind `<scope>` in the help of every verb. */
export const scopeHelp = "run/ID, cluster/NAME, namespace/NAME, bucket/PATTERN or all";

/** A commit's full id is a run's too: people copy either. */
function shorten(text: string): string {
  const sha = /^run\/([0-9a-f]{12})[0-9a-f]{28}$/u.exec(text)?.[1];
  return sha === undefined ? text : `run/${sha}`;
}

/** A scope as rules 7.1 has it; refuses what would bind nobody. `isScope` is handed in, since its library is loaded late. */
export function parseScope(text: string, isScope: (text: string) => text is StopScope): StopScope {
  const scope = shorten(text);
  if (!isScope(scope)) throw new Refusal(exitCodes.usage, `${text} is no scope`, `say ${scopeHelp}`);
  if (scope.startsWith("campaign/")) {
    throw new Refusal(exitCodes.usage, `${text}: this version carries out no campaigns`, `say ${scopeHelp}`);
  }
  if (scope.startsWith("run/") && !/^run\/[0-9a-f]{12}$/u.test(scope)) {
    const help = "a run's id is 12 hex digits:  meshroll status  or  meshroll history  names them";
    throw new Refusal(exitCodes.usage, `${text} names no run`, help);
  }
  if (/^(?:cluster|namespace)\//u.test(scope) && !/^\w+\/[a-z0-9-]{1,63}$/u.test(scope)) {
    throw new Refusal(exitCodes.usage, `${text}: that is no name of a cluster or namespace`, "names are [a-z0-9-]");
  }
  return scope;
}

/** The id of `run/<id>`; a verb about a run takes no other scope. */
export function parseRunScope(text: string, isScope: (text: string) => text is StopScope): `run/${string}` {
  const scope = parseScope(text.includes("/") ? text : `run/${text}`, isScope);
  if (scope.startsWith("run/")) return `run/${scope.slice("run/".length)}`;
  throw new Refusal(
    exitCodes.usage,
    `${text} names no run`,
    "say run/ID:  meshroll status  or  meshroll history  names them",
  );
}
