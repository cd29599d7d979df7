import { lookUp } from "#libs/input";
/** One token of a line as the pre-scan sees it. `end` is where the next token may begin. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

export type TokenKind =
  | "comment"
  | "open"
  | "close"
  | "comma"
  | "colon"
  | "question"
  | "quoted"
  | "unclosed"
  | "escape"
  | "list"
  | "reserved"
  | "anchor"
  | "alias"
  | "tag"
  | "block"
  | "plain";

const SINGLE: Readonly<Record<string, TokenKind>> = {
  "{": "open",
  "}": "close",
  "[": "list",
  "]": "close",
  "&": "anchor",
  "*": "alias",
  "!": "tag",
  "|": "block",
  ">": "block",
  "@": "reserved",
  "`": "reserved",
  "%": "reserved",
};

const INDICATOR: Readonly<Record<string, TokenKind>> = { "-": "list", "?": "question" };

/**
 * Reads the token at `start` of a line that ends at `end`; never looks past the line. In doubt it sees a token where YAML may see
 * plain text, never the other way round: what it skips, the yaml library must not stumble over.
 */
export function readToken(text: string, start: number, end: number, inFlow: boolean): Token {
  const first = text.charAt(start);
  const single = lookUp(SINGLE, first);
  if (single !== undefined) return { kind: single, start, end: start + 1 };
  if (first === '"' || first === "'") return readQuoted(text, start, end, first);
  if (first === "#" && isBlank(text.charAt(start - 1))) return { kind: "comment", start, end };
  if (first === ",") return { kind: inFlow ? "comma" : "reserved", start, end: start + 1 };
  return readIndicator(text, start, end, inFlow) ?? readPlain(text, start, end, inFlow);
}

function readIndicator(text: string, start: number, end: number, inFlow: boolean): Token | undefined {
  const first = text.charAt(start);
  const isIndicator = endsIndicator(text, start + 1, end, inFlow);
  if (first === ":")
    return { kind: isIndicator || isJsonColon(text, start, inFlow) ? "colon" : "reserved", start, end: start + 1 };
  const kind = lookUp(INDICATOR, first);
  return kind !== undefined && isIndicator ? { kind, start, end: start + 1 } : undefined;
}

/** `{"a":1}`: behind a quoted key inside braces `:` needs no blank. */
function isJsonColon(text: string, start: number, inFlow: boolean): boolean {
  const before = text.charAt(start - 1);
  return inFlow && (before === '"' || before === "'");
}

/** Blank, or the end of a line: what separates tokens. */
export function isBlank(char: string): boolean {
  return char === " " || char === "\t" || char === "\n" || char === "\r" || char === "" || char === "\uFEFF";
}

function readQuoted(text: string, start: number, end: number, quote: string): Token {
  for (let at = start + 1; at < end; at++) {
    const char = text.charAt(at);
    if (quote === '"' && char === "\\") {
      if (!ESCAPE.test(text.slice(at, at + 10))) return { kind: "escape", start: at, end: Math.min(at + 2, end) };
      at++;
    } else if (char === quote) {
      if (quote === '"' || text.charAt(at + 1) !== "'") return { kind: "quoted", start, end: at + 1 };
      at++;
    }
  }
  return { kind: "unclosed", start, end };
}

/** What YAML knows behind a backslash in double quotes; a code point above U+10FFFF would be no character. */
const ESCAPE = /^\\(?:[0abt\tnvfre "/\\N_LP]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U00(?:0[\dA-Fa-f]|10)[\dA-Fa-f]{4})/u;

/** Plain text runs to `: `, to ` #`, to the end of the line, and inside brackets to any of `,[]{}`. */
function readPlain(text: string, start: number, end: number, inFlow: boolean): Token {
  let at = start + 1;
  while (at < end && !endsPlain(text, at, end, inFlow)) at++;
  return { kind: "plain", start, end: at };
}

function endsPlain(text: string, at: number, end: number, inFlow: boolean): boolean {
  const char = text.charAt(at);
  if (char === ":") return endsIndicator(text, at + 1, end, inFlow);
  if (char === "#") return isBlank(text.charAt(at - 1));
  return inFlow && isFlowIndicator(char);
}

function endsIndicator(text: string, at: number, end: number, inFlow: boolean): boolean {
  return at >= end || isBlank(text.charAt(at)) || (inFlow && isFlowIndicator(text.charAt(at)));
}

function isFlowIndicator(char: string): boolean {
  return char !== "" && ",[]{}".includes(char);
}
