import { isScalar } from "yaml";

import { parseDuration, printDuration } from "../calendar/duration.ts";
import { defineReader, type Field, isEmptyField, type Reader, reportField } from "./field.ts";
import type { Amount } from "../settings/settings.ts";
import { suggestWord } from "#libs/input";

const count = /^(?:0|[1-9]\d{0,8})$/;
const mostCount = 999_999_999;
const decimal = /^-?(?:0|[1-9]\d{0,11})(?:\.\d{1,9})?$/;

/** Plain words that some YAML readers take for a number, a boolean or null. */
const notText =
  /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?(?:\.\d|\d)[\d._]*(?:e[-+]?\d+)?|0[xob][\da-f_]+|[-+]?\.(?:inf|nan))$/i;

interface Word {
  readonly text: string;
  readonly quoted: boolean;
}

/** A scalar as text, in whatever form; anything else is reported. */
export function readWord(field: Field, wanted: string): Word | undefined {
  const { node } = field;
  if (isEmptyField(field)) return reportField(field, "has no value", `write ${wanted}, or remove the line`);
  if (!isScalar(node) || typeof node.value !== "string") return reportField(field, `must be ${wanted}`);
  return { text: node.value, quoted: node.type !== "PLAIN" };
}

/** Text that all YAML readers read alike: unquoted `42`, `1.20` or `no` are refused. */
function readPlain(field: Field, longest: number): string | undefined {
  const word = readWord(field, "text");
  if (word === undefined) return undefined;
  if (!word.quoted && notText.test(word.text)) {
    return reportField(field, "must be text", `put it in quotes: "${word.text}"`);
  }
  if (word.text.length > longest) return reportField(field, `must not be longer than ${longest} characters`);
  return word.text;
}

/** One word. Unquoted `42`, `1.20` or `no` are refused, because YAML readers differ on them. */
export function readText(longest: number): Reader<string> {
  return defineReader({ type: "string", maxLength: longest, pattern: String.raw`^\S*$` }, (field) => {
    const text = readPlain(field, longest);
    if (text === undefined || !/\s/.test(text)) return text;
    return reportField(field, "must not contain blanks or line ends");
  });
}

/** Text for people or for another program: blanks and line ends are accepted, an empty text is not. */
export function readProse(longest: number): Reader<string> {
  return defineReader({ type: "string", minLength: 1, maxLength: longest }, (field) => {
    const text = readPlain(field, longest);
    if (text === undefined) return undefined;
    return text.trim() === "" ? reportField(field, "must not be blank") : text.trim();
  });
}

/** A word of a certain form. `wanted` continues `must be`. */
export function readForm(form: RegExp, longest: number, wanted: string, help?: string): Reader<string> {
  return defineReader({ type: "string", maxLength: longest, pattern: form.source }, (field) => {
    const text = readPlain(field, longest);
    if (text === undefined) return undefined;
    return form.test(text) ? text : reportField(field, `must be ${wanted}`, help);
  });
}

function adviseQuotes({ quoted, text }: Word, form: RegExp): string | undefined {
  return quoted && form.test(text) ? "leave out the quotes" : undefined;
}

/** A whole number, in digits, from `least` on, up to `most` if that is given. */
export function readCount(least: number, most = mostCount): Reader<number> {
  const wanted =
    most < mostCount ? `a whole number between ${least} and ${most}` : `a whole number of at least ${least}`;
  return defineReader({ type: "integer", minimum: least, maximum: most }, (field) => {
    const word = readWord(field, wanted);
    if (word === undefined) return undefined;
    const value = Number(word.text);
    if (count.test(word.text) && !word.quoted && value >= least && value <= most) return value;
    return reportField(field, `must be ${wanted}`, adviseQuotes(word, count));
  });
}

/** A number with or without a fraction, in plain digits. */
export function readDecimal(least = -1e12, most = 1e12): Reader<number> {
  const wanted = most < 1e12 ? `a number between ${least} and ${most}` : "a number such as 0.02";
  return defineReader({ type: "number", minimum: least, maximum: most }, (field) => {
    const word = readWord(field, wanted);
    if (word === undefined) return undefined;
    const value = Number(word.text);
    if (decimal.test(word.text) && !word.quoted && value >= least && value <= most) return value;
    return reportField(field, `must be ${wanted}`, adviseQuotes(word, decimal));
  });
}

/** `3` or `2%`, whole numbers. 0 can be excluded where nothing could ever move. */
export function readAmount(least: number): Reader<Amount> {
  const wanted = `a whole number of at least ${least}, or a whole percentage such as 2%`;
  const percentage = least > 0 ? "^(?:100|[1-9][0-9]?)%$" : "^(?:100|[1-9]?[0-9])%$";
  const schema = {
    anyOf: [
      { type: "integer", minimum: least, maximum: mostCount },
      { type: "string", pattern: percentage },
    ],
  };
  return defineReader(schema, (field) => {
    const word = readWord(field, wanted);
    if (word === undefined) return undefined;
    const digits = word.text.endsWith("%") ? word.text.slice(0, -1) : word.text;
    const isPercent = digits !== word.text;
    const value = Number(digits);
    const fits = count.test(digits) && value >= least && (isPercent ? value <= 100 : !word.quoted);
    if (!fits) return reportField(field, `must be ${wanted}`);
    return isPercent ? { percent: value } : value;
  });
}

/** Each unit at most once, in this order, and at least one of them. */
const durationForm = "^(?=[0-9])(?:[0-9]{1,9}d)?(?:[0-9]{1,9}h)?(?:[0-9]{1,9}m)?(?:[0-9]{1,9}s)?(?:[0-9]{1,9}ms)?$";

/** A duration with units, in ms. */
export function readDuration(leastMs: number, mostMs = 366 * 86_400_000): Reader<number> {
  return defineReader({ type: "string", pattern: durationForm }, (field) => {
    const word = readWord(field, "a duration such as 30s, 5m or 1h30m");
    if (word === undefined) return undefined;
    const ms = parseDuration(word.text);
    if (ms === undefined) {
      const help = /^\d+$/.test(word.text)
        ? `give it a unit: ${word.text}s or ${word.text}m`
        : "days, hours, minutes, seconds: 1d, 1h30m, 30s";
      return reportField(field, "must be a duration such as 30s, 5m or 1h30m, at most 366 days", help, "MR3004");
    }
    if (ms > mostMs) return reportField(field, `must be at most ${printDuration(mostMs)}`, undefined, "MR3004");
    return ms >= leastMs ? ms : reportField(field, `must be at least ${printDuration(leastMs)}`, undefined, "MR3004");
  });
}

/** One of a few words, spelt exactly. */
export function readChoice<const T extends string>(...choices: readonly T[]): Reader<T> {
  return defineReader({ enum: choices }, (field) => {
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
  });
}

/** `true` or `false`; the other words for it are text to some readers of YAML. */
export const readFlag: Reader<boolean> = defineReader({ type: "boolean" }, (field) => {
  const read = readChoice("true", "false")(field);
  return read === undefined ? undefined : read === "true";
});

/** A field of a later version, refused by name so that it is not taken for a typo. */
export function readLater(instead: string): Reader<never> {
  const read = (field: Field): undefined => {
    const message = `\`${field.path}\` comes in a later version`;
    field.report({ code: "MR3006", span: field.key, message, help: instead });
  };
  return Object.assign(read, { schema: {}, isLater: true as const });
}
