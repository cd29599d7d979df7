import { isLabelName, isRunId } from "./identifiers.ts";

/** What a stop binds (rules 7.1). Every text that claims to be one goes through `readStopScope`. */
export type StopScope =
  | "all"
  | `cluster/${string}`
  | `campaign/${string}`
  | `run/${string}`
  | `bucket/${string}`
  | `namespace/${string}`;

/** As `rollouts.yml` allows a pattern: no blanks, nothing outside ASCII. */
const pattern = /^[\u0021-\u007E]{1,256}$/;

const forms: ReadonlyMap<string, (name: string) => boolean> = new Map([
  ["cluster", isLabelName],
  ["campaign", isLabelName],
  ["namespace", isLabelName],
  ["run", isRunId],
  ["bucket", (name: string) => pattern.test(name)],
]);

/** True when the text is a scope: the kind is known, and the name is one that such a thing can have. */
export function isStopScope(text: string): text is StopScope {
  if (text === "all") return true;
  const slash = text.indexOf("/");
  return slash > 0 && forms.get(text.slice(0, slash))?.(text.slice(slash + 1)) === true;
}
