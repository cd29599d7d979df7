/** Columns that every terminal has. */
export const columns = 80;

/** Cut with an ellipsis, so that it takes `width` columns at most. */
export function cutText(text: string, width: number): string {
  const letters = Array.from(text);
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** Words of one line, joined again into lines of at most `width` columns; a longer word keeps a line of its own, whole. */
function fillLines(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && Array.from(longer).length > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** A command at the end of a line is there to be copied: it stays in one piece, however long. */
const command = /^(.*?)(?:^| {2,})((?:meshroll|kubectl|git|npx) .*)$/u;

function splitWords(line: string): readonly string[] {
  const [, before = "", typed] = command.exec(line) ?? [];
  if (typed === undefined) return line.split(" ");
  return before === "" ? [typed] : [...before.split(" "), typed];
}

/**
 * Lines of at most `width` columns, broken at blanks; what follows a break is indented two further than its line. A word
 * is never broken, and neither is a command at the end of its line.
 */
export function wrapText(text: string, width = columns): readonly string[] {
  return text.split("\n").flatMap((line) => {
    if (Array.from(line).length <= width) return [line];
    const indent = /^ */u.exec(line)?.[0] ?? "";
    const [first = "", ...rest] = fillLines(splitWords(line.trim()), width - indent.length - 2);
    return [indent + first, ...rest.map((each) => `${indent}  ${each}`)];
  });
}
