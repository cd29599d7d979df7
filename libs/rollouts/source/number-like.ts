/** Numbers of YAML 1.1 and 1.2: binary, octal, hexadecimal, base 60, decimal with fraction and exponent, infinity and not-a-number. */
const NUMBERS: readonly RegExp[] = [
  /^[-+]?0b[01_]+$/u,
  /^[-+]?0o[0-7]+$/u,
  /^[-+]?0x[0-9A-Fa-f_]+$/u,
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/u,
  /^[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[Ee][-+]?[0-9]+)?$/u,
  /^(?:[-+]?\.inf|\.nan)$/iu,
];

const DATE = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$/u;

/**
 * What a YAML reader that resolves scalars (1.1 or 1.2) makes of plain text, or undefined when every reader sees text. We always
 * read the text as written; Krispr, kubectl or a script may not.
 */
export function describeScalar(text: string): "a number" | "a date" | "a truth value" | "nothing" | undefined {
  if (NUMBERS.some((number) => number.test(text))) return "a number";
  if (DATE.test(text)) return "a date";
  if (/^(?:y|yes|n|no|true|false|on|off)$/iu.test(text)) return "a truth value";
  return /^(?:~|null)$/iu.test(text) ? "nothing" : undefined;
}
