/** What is wrong with a pattern, and where: an index into the pattern's text. */
export interface PatternFault {
  readonly index: number;
  readonly length: number;
  readonly message: string;
  readonly help: string;
}

const LINEAR_TIME_ONLY =
  "matching here takes linear time, which leaves no room for it: list the names, or use a longer pattern for the exception";

/** Groups of backtracking engines that RE2 does not have, longest first. */
const GROUPS: readonly (readonly [opening: string, name: string])[] = [
  ["(?<=", "look-behind"],
  ["(?<!", "look-behind"],
  ["(?=", "look-ahead"],
  ["(?!", "look-ahead"],
  ["(?>", "an atomic group"],
];

/**
 * Finds constructs outside of the dialect before the engine sees the pattern, so that the finding can name them: look-around,
 * back-references, blanks, and anchors inside.
 */
export function findPatternFault(pattern: string): PatternFault | undefined {
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    const fault = findFaultAt(pattern, at, inClass);
    if (fault !== undefined) return fault;
    if (char === "\\") at++;
    else if (inClass && pattern.startsWith("[:", at)) at = Math.max(at, pattern.indexOf(":]", at) + 1);
    else if (inClass) inClass = char !== "]";
    else if (char === "[") {
      inClass = true;
      at += skipClassStart(pattern, at);
    }
  }
  return undefined;
}

/** In `[]a]` and `[^]a]` the first bracket is an ordinary character. */
function skipClassStart(pattern: string, at: number): number {
  const negated = pattern.charAt(at + 1) === "^" ? 1 : 0;
  return pattern.charAt(at + 1 + negated) === "]" ? negated + 1 : negated;
}

function findFaultAt(pattern: string, at: number, inClass: boolean): PatternFault | undefined {
  const char = pattern.charAt(at);
  if (char <= " ")
    return { index: at, length: 1, message: "a blank in a pattern", help: "no namespace has one: delete it" };
  if (inClass) return undefined;
  if (char === "\\") return findBackReference(pattern, at);
  if (char === "(") return findGroup(pattern, at);
  if ((char === "^" && at > 0) || (char === "$" && at < pattern.length - 1)) {
    const help = "the whole name is matched anyway: leave it out, or put it at the very start or end";
    return { index: at, length: 1, message: `\`${char}\` in the middle of a pattern`, help };
  }
  return undefined;
}

function findBackReference(pattern: string, at: number): PatternFault | undefined {
  const found = /^\\(?:[1-9][0-9]?|k<[^>]*>?)/u.exec(pattern.slice(at, at + 40))?.[0];
  return found === undefined
    ? undefined
    : { index: at, length: found.length, message: `the back-reference \`${found}\``, help: LINEAR_TIME_ONLY };
}

function findGroup(pattern: string, at: number): PatternFault | undefined {
  const found = GROUPS.find(([opening]) => pattern.startsWith(opening, at));
  if (found === undefined) return undefined;
  const [opening, name] = found;
  return { index: at, length: opening.length, message: `${name}, \`${opening}\``, help: LINEAR_TIME_ONLY };
}
