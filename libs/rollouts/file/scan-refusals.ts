import type { Token, TokenKind } from "./scan-token.ts";
import { quoteText, type Problem } from "../source/source.ts";

/** What is wrong with a kind of token wherever it stands; undefined for kinds that the format has a use for. */
const REFUSALS: Readonly<Record<TokenKind, ((text: string, token: Token) => Problem | undefined) | undefined>> = {
  anchor: (text, token) => refuseProperty(text, token, "an anchor (`&`) is not allowed"),
  alias: (text, token) => refuseProperty(text, token, "an alias (`*`) is not allowed"),
  tag: (text, token) => refuseProperty(text, token, "a tag (`!`) is not allowed"),
  block: (_, token) => refuseSign("MR1013", token, "block text (`|`, `>`) is not allowed", "write the key in quotes"),
  question: (_, token) => refuseSign("MR1013", token, "a complex key (`? `) is not allowed", "write `pattern:`"),
  list: (_, token) =>
    refuseSign("MR1018", token, "a list is not allowed", "write `<revision>: <percentage>`, one per line"),
  reserved: (text, token) =>
    refuseSign("MR1001", token, `text cannot begin with \`${text.charAt(token.start)}\``, "put it in quotes"),
  unclosed: (_, token) =>
    refuseWhole(token, "the quote is not closed on this line", "close it; text over several lines is not allowed"),
  escape: refuseEscape,
  plain: refuseMerge,
  comment: undefined,
  open: undefined,
  close: undefined,
  comma: undefined,
  colon: undefined,
  quoted: undefined,
};

/** MR1013, MR1018 or MR1001 for a token that the format has no use for; undefined for all others. */
export function refuseToken(text: string, token: Token): Problem | undefined {
  return REFUSALS[token.kind]?.(text, token);
}

function refuseSign(code: string, token: Token, message: string, help: string): Problem {
  return { code, span: { start: token.start, end: token.start + 1 }, message, help };
}

function refuseWhole(token: Token, message: string, help: string): Problem {
  return { code: "MR1001", span: { start: token.start, end: token.end }, message, help };
}

function refuseEscape(text: string, token: Token): Problem {
  const message = `\`${text.slice(token.start, token.end)}\` is no escape that YAML knows`;
  return refuseWhole(token, message, "in single quotes a backslash needs no escape");
}

/** A pattern such as `*-staging` is meant as a wildcard: YAML reads an alias, so the help says how to write the pattern. */
function refuseProperty(text: string, token: Token, message: string): Problem {
  const word = /^[^\s,[\]{}]*/u.exec(text.slice(token.start, token.start + 300))?.[0] ?? "";
  const name = word.endsWith(":") ? word.slice(0, -1) : word;
  const span = { start: token.start, end: token.start + Math.max(1, name.length) };
  const isWildcard = token.kind === "alias" && name.length > 1 && word.endsWith(":");
  const help = isWildcard
    ? `a pattern is a regular expression: write \`.${name}\``
    : `write the value out, or quote ${quoteText(name)}`;
  return { code: "MR1013", span, message, help };
}

function refuseMerge(text: string, token: Token): Problem | undefined {
  if (text.slice(token.start, token.end).trim() !== "<<") return undefined;
  const span = { start: token.start, end: token.start + 2 };
  return { code: "MR1013", span, message: "a merge key (`<<`) is not allowed", help: "write the shares out" };
}
