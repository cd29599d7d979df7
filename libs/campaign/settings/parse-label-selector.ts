import { type LabelRequirement, checkLabelKey, checkLabelValue } from "./label-selector.ts";

/** A selector's requirements, or what is wrong and where (UTF-16 offsets into the text, end exclusive). */
export type ParsedSelector =
  | { readonly ok: true; readonly requirements: readonly LabelRequirement[] }
  | { readonly ok: false; readonly message: string; readonly start: number; readonly end: number };

interface Token {
  readonly text: string;
  readonly start: number;
}

/** Carries one problem out of the recursion; `parseLabelSelector` turns it into a value. */
class SelectorProblem extends Error {
  readonly at: Token;
  constructor(message: string, at: Token) {
    super(message);
    this.at = at;
  }
}

const longest = 4096;
const pieces = /!=|==|[=!(),<>]|[^\s=!(),<>]+/g;

function splitTokens(text: string): readonly Token[] {
  return Array.from(text.matchAll(pieces), (match) => ({ text: match[0], start: match.index }));
}

/** Reads the tokens in order. */
class TokenWalk {
  #next = 0;
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  constructor(text: string) {
    this.#tokens = splitTokens(text);
    this.#end = { text: "", start: text.length };
  }
  peek(): Token {
    return this.#tokens[this.#next] ?? this.#end;
  }
  take(): Token {
    const token = this.peek();
    this.#next++;
    return token;
  }
  expect(text: string, after: string): void {
    const token = this.take();
    if (token.text !== text) throw new SelectorProblem(`${after} needs \`${text}\`, not ${quote(token)}`, token);
  }
}

function quote(token: Token): string {
  return token.text === "" ? "the end" : `\`${token.text}\``;
}

function isWord(token: Token): boolean {
  return /^[^=!(),<>]/.test(token.text);
}

function takeKey(walk: TokenWalk): string {
  const token = walk.take();
  if (!isWord(token)) throw new SelectorProblem(`a label's name must stand here, not ${quote(token)}`, token);
  const problem = checkLabelKey(token.text);
  if (problem !== undefined) throw new SelectorProblem(`\`${token.text}\` is not a label's name: ${problem}`, token);
  return token.text;
}

function takeValue(walk: TokenWalk): string {
  const token = walk.take();
  if (!isWord(token)) throw new SelectorProblem(`a label's value must stand here, not ${quote(token)}`, token);
  const problem = checkLabelValue(token.text);
  if (problem !== undefined) throw new SelectorProblem(`\`${token.text}\` is not a label's value: ${problem}`, token);
  return token.text;
}

function takeList(walk: TokenWalk, operator: string): readonly string[] {
  walk.expect("(", `\`${operator}\``);
  const values = [takeValue(walk)];
  while (walk.peek().text === ",") {
    walk.take();
    values.push(takeValue(walk));
  }
  walk.expect(")", "the list");
  return values;
}

/** `team=` selects the empty value, as in kubectl. */
function takeSingle(walk: TokenWalk): readonly string[] {
  return isWord(walk.peek()) ? [takeValue(walk)] : [""];
}

function takeRequirement(walk: TokenWalk): LabelRequirement {
  if (walk.peek().text === "!") {
    walk.take();
    return { key: takeKey(walk), operator: "DoesNotExist", values: [] };
  }
  const key = takeKey(walk);
  const next = walk.peek();
  switch (next.text) {
    case "":
    case ",":
      return { key, operator: "Exists", values: [] };
    case "=":
    case "==":
      walk.take();
      return { key, operator: "In", values: takeSingle(walk) };
    case "!=":
      walk.take();
      return { key, operator: "NotIn", values: takeSingle(walk) };
    case "in":
    case "notin":
      walk.take();
      return { key, operator: next.text === "in" ? "In" : "NotIn", values: takeList(walk, next.text) };
    default:
      throw new SelectorProblem(`expected =, !=, in or notin after \`${key}\`, not ${quote(next)}`, next);
  }
}

function takeAll(text: string): readonly LabelRequirement[] {
  const walk = new TokenWalk(text);
  if (walk.peek().text === "") return [];
  const requirements = [takeRequirement(walk)];
  while (walk.peek().text !== "") {
    walk.expect(",", "a requirement");
    requirements.push(takeRequirement(walk));
  }
  return requirements;
}

/** The one-line form of a label selector, as in kubectl's `-l`: `team=a,env!=test,tier in (a,b),!legacy`. */
export function parseLabelSelector(text: string): ParsedSelector {
  if (text.length > longest) return { ok: false, message: `it is longer than ${longest} characters`, start: 0, end: 1 };
  try {
    return { ok: true, requirements: takeAll(text) };
  } catch (problem) {
    if (!(problem instanceof SelectorProblem)) throw problem;
    const { start, text: token } = problem.at;
    return { ok: false, message: problem.message, start, end: start + Math.max(1, token.length) };
  }
}
