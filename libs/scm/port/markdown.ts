import { cleanText } from "#libs/runtime";

/** Invisible, and it ends every name, number and address that GitHub would make a mention or a link of. */
const apart = "&#8203;";

/** Text of others for GitHub's Markdown: no account is mentioned, no issue is referenced, nothing becomes a link or HTML. */
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

/** A name or a command in a code span, also within a table; mentions and links do not work in there. */
export function quoteMarkdown(text: string, most?: number): string {
  const inner = cleanText(text, most).replaceAll("`", "'").replaceAll("|", "\\|");
  return inner === "" ? "" : `\`${inner}\``;
}
