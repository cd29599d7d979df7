import type { Token, TokenKind } from "./scan-token.ts";
import type { Problem } from "../source/source.ts";

/** What stands before a token, and around it. */
export interface TokenContext {
  /** The token before it on the same line. */
  readonly previous: Token | undefined;
  /** The token before it on any line; undefined for the first of the file. */
  readonly last: Token | undefined;
  /** Braces that are open, by their offsets. */
  readonly braces: readonly number[];
  /** The whole file is one `{…}`. */
  readonly isFlowFile: boolean;
}

/**
 * MR1001 and MR1013 for tokens that cannot follow each other. The yaml library would say so too, but it spends 10 µs on each
 * complaint, and a file of `{}{}{}` has half a million.
 */
export function refuseOrder(text: string, token: Token, context: TokenContext): Problem | undefined {
  const { previous, last } = context;
  const span = { start: token.start, end: token.start + 1 };
  const sign = `\`${text.charAt(token.start)}\``;
  if (token.kind === "colon" && previous?.kind === "close") {
    return { code: "MR1013", span, message: "a map as a key is not allowed", help: "a key is a pattern or a revision" };
  }
  if (token.kind === "close" && context.braces.length === 0) {
    const help = "every `{` ends with one `}`; a pattern with braces needs quotes";
    return { code: "MR1001", span, message: `${sign} closes nothing that is open here`, help };
  }
  const before = token.kind === "open" ? last : previous;
  if (!isDoubled(token.kind, before?.kind) && !isBehindFlowFile(context)) return undefined;
  const help = "put one `,` between entries inside braces, or begin a new line outside of them";
  return { code: "MR1001", span, message: `unexpected ${sign}`, help };
}

function isBehindFlowFile({ isFlowFile, braces, last }: TokenContext): boolean {
  return isFlowFile && braces.length === 0 && last !== undefined;
}

const VALUE_STARTS: readonly TokenKind[] = ["open", "quoted", "plain"];
const VALUE_ENDS: readonly TokenKind[] = ["close", "quoted", "plain"];

/** Two values, or two separators, without the other kind between them. */
function isDoubled(kind: TokenKind, before: TokenKind | undefined): boolean {
  if (before === undefined) return false;
  if (VALUE_STARTS.includes(kind)) return VALUE_ENDS.includes(before);
  if (kind === "comma") return before === "comma" || before === "open";
  return kind === "colon" && before === "colon";
}
