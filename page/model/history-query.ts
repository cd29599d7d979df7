import { isLabelName, isRunId, isStopScope } from "#libs/input";
import { quoteForShell } from "#libs/wording";

/** What the history's view is asked to show; an empty text is no filter. */
export interface HistoryChoice {
  /** A scope, as `run/ID` or `campaign/NAME`. */
  readonly subject: string;
  readonly actor: string;
  /** `24h`, `7d`, `30d`, or empty. */
  readonly since: string;
  readonly text: string;
  readonly limit: number;
}

/** The choices of how far back, with their words. */
export const periods = [
  ["", "all"],
  ["24h", "24 hours"],
  ["7d", "7 days"],
  ["30d", "30 days"],
] as const;

const hourMs = 3_600_000;
const lengths: ReadonlyMap<string, number> = new Map([
  ["24h", 24 * hourMs],
  ["7d", 7 * 24 * hourMs],
  ["30d", 30 * 24 * hourMs],
]);

const usualLimit = 100;
/** The api answers at most so many. */
export const mostEntries = 1000;
const step = 200;
/** Characters of a name or of searched words that the api takes. */
const longestText = 200;

/** A bare run id and a bare name are a run's and a campaign's, as on the command line. */
function completeSubject(typed: string): string {
  const text = typed.trim();
  if (text === "all" || text.includes("/")) return text;
  if (isRunId(text)) return `run/${text}`;
  return isLabelName(text) ? `campaign/${text}` : text;
}

/** The choices in the address. */
export function readHistoryChoice(read: (name: string) => string): HistoryChoice {
  const limit = Number(read("limit") || usualLimit);
  return {
    subject: completeSubject(read("subject")),
    actor: read("actor").trim().slice(0, longestText),
    since: lengths.has(read("since")) ? read("since") : "",
    text: read("q").trim().slice(0, longestText),
    limit: Number.isInteger(limit) && limit > 0 ? Math.min(limit, mostEntries) : usualLimit,
  };
}

/** Why nothing can be found; undefined where it can. */
export function explainChoice({ subject }: Pick<HistoryChoice, "subject">): string | undefined {
  if (subject === "" || isStopScope(subject)) return undefined;
  return "“About” takes a run's id, a campaign's name, cluster/NAME, namespace/NAME, bucket/PATTERN or all.";
}

/** The limit with more entries, for the address. */
export function raiseLimit({ limit }: Pick<HistoryChoice, "limit">): number {
  return Math.min(mostEntries, limit + step);
}

/**
 * The beginning of the period, epoch ms; undefined for all. It moves in steps, so that pages ask the api for the same and a page
 * does not ask at every moment.
 */
export function findSince({ since }: Pick<HistoryChoice, "since">, now: number): number | undefined {
  const length = lengths.get(since);
  if (length === undefined) return undefined;
  const stepMs = length / 96;
  return Math.floor((now - length) / stepMs) * stepMs;
}

/** The query of `/v1/history`; `since`: ISO. */
export function printHistoryQuery(choice: HistoryChoice, since: string | undefined): string {
  const { subject, actor, text, limit } = choice;
  const given = { subject, actor, since: since ?? "", q: text, limit: String(limit) };
  const parts = Object.entries(given).filter(([, value]) => value !== "");
  return parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

/** The command that prints the same. */
export function printHistoryCommand({ subject, actor, since, text, limit }: HistoryChoice): string {
  const words = [
    ...(subject === "" ? [] : [quoteForShell(subject)]),
    ...(since === "" ? [] : [`--since ${since}`]),
    ...(actor === "" ? [] : [`--actor ${quoteForShell(actor)}`]),
    ...(text === "" ? [] : [`--grep ${quoteForShell(text)}`]),
  ];
  return ["meshroll history", ...words, `-n ${limit}`].join(" ");
}
