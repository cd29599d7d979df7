/** Names may contain `|` or line ends, which would break a table. */
export function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/[\r\n]+/gu, " ");
}

/** A name in code style. */
export function code(text: string): string {
  return `\`${escapeCell(text).replaceAll("`", "'")}\``;
}

/** Longer titles are cut by each surface in its own way. */
const titleLength = 140;

export function fitTitle(text: string): string {
  const line = text.replaceAll(/[\r\n]+/gu, " ");
  return line.length <= titleLength ? line : `${line.slice(0, titleLength - 1)}…`;
}

/** GitHub's limit is 65,535 bytes. */
const maxBytes = 65_000;

/** Removes lines at the end until it fits GitHub's limit, and says so. */
export function fitSummary(text: string): string {
  const encoder = new TextEncoder();
  if (encoder.encode(text).length <= maxBytes) return text;
  const note = "\n\n… cut here: GitHub shows no more";
  const lines = text.split("\n");
  let left = maxBytes - encoder.encode(note).length;
  const kept: string[] = [];
  for (const line of lines) {
    left -= encoder.encode(line).length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return kept.join("\n") + note;
}

/** Paragraphs; an empty text is none. */
export function joinParagraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}
