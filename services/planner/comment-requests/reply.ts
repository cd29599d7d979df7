import { escapeMarkdown, quoteMarkdown } from "#libs/scm";

/** The first line of our one reply, by which it is found again; an HTML comment, so it is not displayed. */
export const replyMarker = "<!-- meshroll:answers -->";

/** A command and its answer. */
export interface Answer {
  /** Id of the comment. */
  readonly comment: number;
  readonly author: string;
  /** The command's line, cleaned and cut. */
  readonly line: string;
  readonly ok: boolean;
  /** Our own Markdown; text of others is escaped in it. */
  readonly text: string;
}

/** One answer for accounts without rights. */
export interface Gathered {
  /**
   * `at`: when it is written, by this machine's clock. `newest`: when the newest comment that it covers was written, by the
   * SCM's clock. Epoch ms.
   */
  readonly at: number;
  readonly newest: number;
  readonly answers: readonly Answer[];
  /** How many comments are counted but not answered. */
  readonly more: number;
  /** Ids of covered comments that are recognised by id, not by time. */
  readonly ids: readonly number[];
}

/** How many sections are shown, and how many ids are kept: no comment is answered twice while its id is there. */
const mostShown = 8;
const mostRemembered = 200;
/** GitHub's limit for a comment is 65,536 characters; the answer for accounts without rights must leave room for the others. */
const mostText = 60_000;
const mostGathered = 20_000;

const sectionMark = /^<!-- meshroll:answer (\d+) -->$/u;
const idsMark = /^<!-- meshroll:answered ([\d ]*) -->$/u;
const gatheredMark = /^<!-- meshroll:gathered (\d+) (\d+) -->$/u;
const footer = "<sub>Answers to <code>/meshroll</code> commands, the newest first; this comment is edited.</sub>";

function printAnswer({ author, line, ok, text }: Answer): string {
  const said = `**${escapeMarkdown(author, 60)}** asked ${quoteMarkdown(line, 200)}`;
  return [`${ok ? "✔" : "✖"} ${said}`, "", text, ""].join("\n");
}

function printSection(answer: Answer): string {
  return [`<!-- meshroll:answer ${answer.comment} -->`, printAnswer(answer)].join("\n");
}

function printGathered({ at, newest, answers, more }: Gathered): string {
  const rest = more === 0 ? [] : [`…and ${more} more.`];
  const told = [...answers.map(printAnswer), ...rest].join("\n");
  const title = "Accounts without write access are answered here, together and once an hour:";
  return [`<!-- meshroll:gathered ${at} ${newest} -->`, title, "", told.slice(0, mostGathered)].join("\n");
}

interface Reply {
  readonly sections: readonly string[];
  readonly ids: readonly number[];
  readonly gathered?: string;
}

/** Parses our reply. Text of others has no angle brackets in it, so none of its lines can be one of our markers. */
function readReply(body: string): Reply {
  const sections: string[][] = [];
  let ids: readonly number[] = [];
  for (const line of body.split("\n")) {
    const known = idsMark.exec(line)?.[1];
    if (known !== undefined) ids = known.split(" ").filter(Boolean).map(Number);
    else if (sectionMark.test(line) || gatheredMark.test(line)) sections.push([line]);
    else if (line !== footer) sections.at(-1)?.push(line);
  }
  const texts = sections.map((lines) => lines.join("\n").trimEnd());
  const gathered = texts.find((text) => gatheredMark.test(text.split("\n", 1)[0] ?? ""));
  const own = texts.filter((text) => text !== gathered);
  return gathered === undefined ? { sections: own, ids } : { sections: own, ids, gathered };
}

/** Ids of comments that were answered here. */
export function listAnswered(body: string | undefined): ReadonlySet<number> {
  return new Set(readReply(body ?? "").ids);
}

/** When accounts without rights were last answered here, and up to which comment; epoch ms. */
export function findGathered(body: string | undefined): Pick<Gathered, "at" | "newest"> | undefined {
  const mark = body?.split("\n").flatMap((line) => gatheredMark.exec(line) ?? []) ?? [];
  return mark.length === 0 ? undefined : { at: Number(mark[1]), newest: Number(mark[2]) };
}

function printReply({ sections, ids, gathered }: Reply): string {
  const last = gathered === undefined ? [] : [`${gathered.trimEnd()}\n`];
  const most = mostText - last.join("").length;
  let kept = sections.slice(0, mostShown);
  while (kept.length > 1 && kept.join("\n").length > most) kept = kept.slice(0, -1);
  return [
    replyMarker,
    `<!-- meshroll:answered ${[...new Set(ids)].slice(-mostRemembered).join(" ")} -->`,
    ...kept.map((section) => `${section.slice(0, most).trimEnd()}\n`),
    ...last,
    footer,
  ].join("\n");
}

/** Our reply with more answers, the newest first; a comment that was answered is left out. */
export function addAnswers(body: string | undefined, answers: readonly Answer[], gathered?: Gathered): string {
  const before = readReply(body ?? "");
  const news = answers.filter(({ comment }) => !before.ids.includes(comment));
  if (body !== undefined && news.length === 0 && gathered === undefined) return body;
  const sections = [...news.slice(-mostShown).toReversed().map(printSection), ...before.sections];
  const ids = [...before.ids, ...news.map(({ comment }) => comment)];
  if (gathered === undefined) return printReply({ ...before, sections, ids });
  return printReply({ sections, ids: [...ids, ...gathered.ids], gathered: printGathered(gathered) });
}
