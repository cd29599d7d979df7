import type { Complaint } from "../complaint.ts";

const planFiles = /^libs\/plan\/.*\.ts$/;

/** Comments and whole strings. The code in a `${}` of a template is scanned separately. */
const tokens = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g;
/** Errors are read by programmers and may be sentences. */
const fault = /(?:new [A-Z]\w*Error|new Error)\(\s*$/;
const word = /^[(*"'`]*\p{L}[\p{L}'’-]*[,.:;?!)*"'`]*$/u;
const maxWords = 2;

interface Literal {
  readonly at: number;
  readonly text: string;
}

/** The literals of a file with the fixed part of their text; a placeholder is replaced by `…`. */
function listLiterals(text: string): readonly Literal[] {
  return [...text.matchAll(tokens)].flatMap(({ 0: token, index }) => {
    if (token.startsWith("/") || fault.test(text.slice(0, index))) return [];
    const inner = token.slice(1, -1);
    return [{ at: index, text: token.startsWith("`") ? inner.replaceAll(/\$\{[^}]*\}/g, "…") : inner }];
  });
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((part) => word.test(part)).length;
}

/**
 * Complains about a literal of three words or more in `libs/plan`: a decision carries a code and fields, and only
 * `libs/wording` makes the sentence. Otherwise code would soon compare and search in the sentence. There are no exceptions.
 */
export function checkSentences(path: string, text: string): readonly Complaint[] {
  if (!planFiles.test(path) || path.endsWith(".test.ts")) return [];
  return listLiterals(text)
    .filter((literal) => countWords(literal.text) > maxWords)
    .map(({ at, text: said }) => ({
      path,
      line: text.slice(0, at).split("\n").length,
      message: `"${said.slice(0, 60)}" is a sentence: give the decision a code and fields, and write its words in libs/wording`,
    }));
}
