import { cleanText } from "#libs/runtime";

/** An invisible character; it splits names, numbers and addresses that GitHub would turn into a mention or a link. */
const apart = "&#8203;";

/** Text from outside for GitHub's Markdown: no mention, no reference to an issue, no link, no HTML. */
export function escapeMarkdown(text: string, most?: number): string {
  return cleanText(text, most)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[\\`*_[\](){}|~!]/g, (mark) => `\\${mark}`)
    .replace(/[@#]/g, (mark) => `${mark}${apart}`)
    .replace(/(https?|ftp|mailto|www|gh)(?=[:.-])/gi, (word) => `${word}${apart}`)
    .replace(/^(\s*)([-+=]|\d+(?=[.)]))/, (_, blank: string, mark: string) => `${blank}${mark}${apart}`);
}

/** A name or a command in a code span, where mentions and links do not work; also valid inside a table. */
export function quoteMarkdown(text: string, most?: number): string {
  const inner = cleanText(text, most).replaceAll("`", "'").replaceAll("|", "\\|");
  return inner === "" ? "" : `\`${inner}\``;
}

/** A link around text that is escaped already; without an address the text alone. */
export function linkMarkdown(address: string | undefined, shown: string): string {
  return address === undefined || shown === "" ? shown : `[${shown}](${address})`;
}
