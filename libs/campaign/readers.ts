import { isScalar } from "yaml";

import { parseDuration, printDuration } from "./duration.ts";
import { type Field, isEmptyField, locateField, type Reader, reportField } from "./field.ts";
import type { Amount } from "./settings.ts";
import { suggestWord } from "./suggest.ts";

const count = /^(?:0|[1-9]\d{0,8})$/;

/** Plain words that some YAML reader takes for a number, a boolean or nothing. */
const notText =
  /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?(?:\.\d|\d)[\d._]*(?:e[-+]?\d+)?|0[xob][\da-f_]+|[-+]?\.(?:inf|nan))$/i;

interface Word {
  readonly text: string;
  readonly quoted: boolean;
}

/** A scalar as text, however it looks; anything else is reported. */
function readWord(field: Field, wanted: string): Word | undefined {
  const { node } = field;
  if (isEmptyField(field)) return reportField(field, "has no value", `write ${wanted}, or remove the line`);
  if (!isScalar(node) || typeof node.value !== "string") return reportField(field, `must be ${wanted}`);
  return { text: node.value, quoted: node.type !== "PLAIN" };
}

/** Text. Unquoted `42`, `1.20` or `no` are refused: readers of YAML differ on what they are. */
export function readText(longest: number): Reader<string> {
  return (field) => {
    const word = readWord(field, "text");
    if (word === undefined) return undefined;
    if (!word.quoted && notText.test(word.text)) {
      return reportField(field, "must be text", `put it in quotes: "${word.text}"`);
    }
    if (word.text.length > longest) return reportField(field, `must not be longer than ${longest} characters`);
    return word.text.trim() === word.text && !/\s/.test(word.text)
      ? word.text
      : reportField(field, "must not contain blanks or line ends");
  };
}

/** A whole number, in digits, from `least` on, up to `most` if that is given. */
export function readCount(least: number, most = Number.POSITIVE_INFINITY): Reader<number> {
  const wanted = Number.isFinite(most)
    ? `a whole number between ${least} and ${most}`
    : `a whole number of at least ${least}`;
  return (field) => {
    const word = readWord(field, wanted);
    if (word === undefined) return undefined;
    const value = Number(word.text);
    if (count.test(word.text) && !word.quoted && value >= least && value <= most) return value;
    return reportField(
      field,
      `must be ${wanted}`,
      word.quoted && count.test(word.text) ? "leave out the quotes" : undefined,
    );
  };
}

/** `3` or `2%`, whole; a limit of none can be ruled out, since nothing could ever move under it. */
export function readAmount(least: number): Reader<Amount> {
  const wanted = `a whole number of at least ${least}, or a whole percentage such as 2%`;
  return (field) => {
    const word = readWord(field, wanted);
    if (word === undefined) return undefined;
    const digits = word.text.endsWith("%") ? word.text.slice(0, -1) : word.text;
    const isPercent = digits !== word.text;
    const value = Number(digits);
    const fits = count.test(digits) && value >= least && (isPercent ? value <= 100 : !word.quoted);
    if (!fits) return reportField(field, `must be ${wanted}`);
    return isPercent ? { percent: value } : value;
  };
}

/** A duration with units, in ms. */
export function readDuration(leastMs: number): Reader<number> {
  return (field) => {
    const word = readWord(field, "a duration such as 30s, 5m or 1h30m");
    if (word === undefined) return undefined;
    const ms = parseDuration(word.text);
    if (ms === undefined) {
      const help = /^\d+$/.test(word.text)
        ? `give it a unit: ${word.text}s or ${word.text}m`
        : "days, hours, minutes, seconds: 1d, 1h30m, 30s";
      return reportField(field, "must be a duration such as 30s, 5m or 1h30m, at most 366 days", help, "MR3004");
    }
    return ms >= leastMs ? ms : reportField(field, `must be at least ${printDuration(leastMs)}`, undefined, "MR3004");
  };
}

/** One of a few words, spelt exactly. */
export function readChoice<const T extends string>(...choices: readonly T[]): Reader<T> {
  return (field) => {
    const word = readWord(field, `one of ${choices.join(", ")}`);
    if (word === undefined) return undefined;
    const choice = choices.find((one) => one === word.text);
    if (choice !== undefined) return choice;
    const near = suggestWord(word.text, choices);
    return reportField(
      field,
      `must be ${choices.join(" or ")}`,
      near === undefined ? undefined : `did you mean ${near}?`,
    );
  };
}

/** `true` or `false`; the other words for it are text to some readers of YAML. */
export const readFlag: Reader<boolean> = (field) => {
  const read = readChoice("true", "false")(field);
  return read === undefined ? undefined : read === "true";
};

/** Reports a word that means something, but not in this version. */
export function refuseLater(field: Field, word: string, instead: string): undefined {
  const message = `\`${field.path}: ${word}\` comes in a later version`;
  field.report({ code: "MR3006", span: locateField(field), message, help: instead });
}
