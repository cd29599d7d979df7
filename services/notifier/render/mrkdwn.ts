import { cleanText } from "#libs/runtime";
import { printLine, type TextLine } from "#libs/wording";

/** Separates `@` from what follows, so that no reader takes it for a mention. */
const apart = "\u2060";

/** Text of others for Slack's mrkdwn: no account is mentioned, nothing becomes a link, nothing formats. */
export function escapeMrkdwn(text: string, most?: number): string {
  return cleanText(text, most)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("@", `@${apart}`)
    .replace(/[*_~`]/g, (mark) => `${apart}${mark}${apart}`);
}

/** A name or a command of ours in a code span, to be copied as it is. */
export function quoteMrkdwn(text: string, most?: number): string {
  const inner = cleanText(text, most).replaceAll("`", "'");
  return `\`${inner.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}\``;
}

/** Text for a header. Slack does not format headers, but other readers might, so it contains nothing like a mention. */
export function clipHeader(text: string, most = 150): string {
  const line = cleanText(text, most).replaceAll("<", "‹").replaceAll(">", "›");
  return Array.from(line.replaceAll("@", `@${apart}`))
    .slice(0, most)
    .join("");
}

/** A time that every reader sees in their own zone. */
export function printMrkdwnTime(iso: string): string {
  const epochMs = Date.parse(iso);
  if (!Number.isFinite(epochMs)) return escapeMrkdwn(iso);
  return `<!date^${Math.floor(epochMs / 1000)}^{date_short_pretty} {time}|${new Date(epochMs).toISOString()}>`;
}

/** Escapes a part of a sentence and keeps the blanks at its ends. */
function escapePart(part: string): string {
  const [before = "", after = ""] = [/^ */u.exec(part)?.[0], / *$/u.exec(part)?.[0]];
  return part.trim() === "" ? before : `${before}${escapeMrkdwn(part.trim(), 600)}${after}`;
}

/** A sentence that may contain text of others; each reader sees times in their own zone. */
export function printMrkdwnLine(line: TextLine): string {
  return printLine(line, { text: escapePart, time: printMrkdwnTime });
}

/**
 * Joins lines up to a length (sections have at most 3,000 characters, fields 2,000). Only whole lines are dropped, so that no
 * escape is split.
 */
export function clipLines(lines: readonly string[], most: number): string {
  const kept: string[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    length += line.length + 1;
    // Reserves room for the line that says how much is missing.
    if (length > most - 40) return [...kept, `… and ${lines.length - index} more`].join("\n");
    kept.push(line);
  }
  return kept.join("\n");
}

/** A link to an address from the SCM; anything but an http address is shown as text only. */
export function linkMrkdwn(url: string, words: string): string {
  const shown = escapeMrkdwn(words, 150);
  return /^https?:\/\/[^\s<>|]+$/.test(url) ? `<${url}|${shown}>` : shown;
}
