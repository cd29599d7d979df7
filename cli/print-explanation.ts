import type { ExplainedBucket, Explanation } from "./explanation.ts";

function printPlace(file: string, { line, column }: ExplainedBucket): string {
  return `${file}:${line}:${column}`;
}

function describeMatch({ characters }: ExplainedBucket, isDeciding: boolean): string {
  const length = characters === undefined ? "" : `${characters} characters`;
  if (isDeciding) return characters === undefined ? "✔ matches nothing else" : `${length}  ✔ longest match`;
  return characters === undefined ? "  for what matches nothing else" : `${length}    matches, shorter`;
}

function printMatches({ file, matches }: Explanation): readonly string[] {
  const places = matches.map((match) => printPlace(file, match));
  const names = matches.map(({ pattern, characters }) => (characters === undefined ? pattern : `"${pattern}"`));
  const wide = Math.max(...places.map(({ length }) => length));
  const wideName = Math.max(...names.map(({ length }) => length));
  return matches.map((match, index) => {
    const cells = [places[index]?.padEnd(wide), names[index]?.padEnd(wideName), describeMatch(match, index === 0)];
    return `  ${cells.join("  ")}`;
  });
}

function printRamp({ ramp, revision, matches }: Explanation): readonly string[] {
  if (ramp === undefined) return [];
  const bucket = matches[0]?.pattern ?? "";
  const { position, from, to } = ramp;
  const moves =
    revision === to
      ? `back to ${from} when ${bucket} gives ${to} ${position} % or less`
      : `when ${bucket} gives ${to} more than ${position} %`;
  return [`  position  ${position} of 100`, `  moves     ${moves}`];
}

function printPin({ pinned, pin, revision }: Explanation): readonly string[] {
  if (pinned) return [`  pinned    its own entry keeps it on ${revision}`];
  if (pin === undefined) return [];
  return [
    "  opt out   add these lines to the file:",
    ...pin
      .trimEnd()
      .split("\n")
      .map((line) => `              ${line}`),
  ];
}

/** For people: the decision, what else matches, when it changes, and how to stay. */
export function printExplanation(explanation: Explanation): string {
  const { namespace, revision, reason, matches, seed, unmanaged } = explanation;
  const shares = (matches[0]?.shares ?? []).map((share) => `${share.revision}: ${share.weight}`).join(", ");
  const lines = [
    `${namespace} → ${revision}`,
    ...printMatches(explanation),
    `  reason    ${reason}: ${matches[0]?.pattern} is ${shares}${seed === "" ? "" : ` (seed ${seed})`}`,
    ...printRamp(explanation),
    ...(unmanaged === undefined ? [] : [`  note      ${unmanaged}`]),
    ...printPin(explanation),
  ];
  return `${lines.join("\n")}\n`;
}

/** One line as `git check-ignore -v` prints it: `file:line:pattern<TAB>namespace<TAB>revision`. */
export function printShort({ file, matches, namespace, revision }: Explanation): string {
  return `${file}:${matches[0]?.line}:${matches[0]?.pattern}\t${namespace}\t${revision}\n`;
}
