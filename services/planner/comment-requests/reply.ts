import { escapeMarkdown, quoteMarkdown } from "#libs/scm";

/** By this our one reply is found again; people do not see it. */
export const replyMarker = "<!-- meshroll:answers -->";

/** One command and what became of it. */
export interface Answer {
  /** Of the comment. */
  readonly comment: number;
  readonly author: string;
  /** What was typed, cleaned and cut. */
  readonly line: string;
  readonly ok: boolean;
  /** Markdown of ours, in which text of others is escaped. */
  readonly text: string;
}

/** Sections that are shown; ids of earlier ones are kept, so that no comment is answered twice. */
const shown = 8;
const remembered = 200;
/** A comment ends at 65,536 characters. */
const mostText = 60_000;

const sectionMark = /^<!-- meshroll:answer (\d+) -->$/u;
const idsMark = /^<!-- meshroll:answered ([\d ]*) -->$/u;

function printSection({ comment, author, line, ok, text }: Answer): string {
  const said = `**${escapeMarkdown(author, 60)}** asked ${quoteMarkdown(line, 200)}`;
  return [`<!-- meshroll:answer ${comment} -->`, `${ok ? "✔" : "✖"} ${said}`, "", text, ""].join("\n");
}

interface Read {
  readonly sections: readonly string[];
  readonly ids: readonly number[];
}

/** What our reply says already. Text of others has no angle brackets in it, so no line of theirs is one of our marks. */
function readReply(body: string): Read {
  const sections: string[][] = [];
  let ids: readonly number[] = [];
  for (const line of body.split("\n")) {
    const known = idsMark.exec(line)?.[1];
    if (known !== undefined) ids = known.split(" ").filter(Boolean).map(Number);
    else if (sectionMark.test(line)) sections.push([line]);
    else sections.at(-1)?.push(line);
  }
  return { sections: sections.map((lines) => lines.join("\n").trimEnd()), ids };
}

/** Ids of comments that were answered here. */
export function listAnswered(body: string | undefined): ReadonlySet<number> {
  return new Set(body === undefined ? [] : readReply(body).ids);
}

/** Our reply with one more answer, the newest first; the same comment is never answered twice. */
export function addAnswer(body: string | undefined, answer: Answer): string {
  const before = body === undefined ? { sections: [], ids: [] } : readReply(body);
  if (body !== undefined && before.ids.includes(answer.comment)) return body;
  const ids = [...before.ids, answer.comment].slice(-remembered);
  const sections = [printSection(answer), ...before.sections];
  let kept = sections.slice(0, shown);
  while (kept.length > 1 && kept.join("\n").length > mostText) kept = kept.slice(0, -1);
  return [
    replyMarker,
    `<!-- meshroll:answered ${ids.join(" ")} -->`,
    ...kept.map((section) => `${section.slice(0, mostText).trimEnd()}\n`),
    "<sub>Answers to <code>/meshroll</code> commands, the newest first; this comment is edited.</sub>",
  ].join("\n");
}
