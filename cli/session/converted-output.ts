import { Writable } from "node:stream";

import { stringify } from "yaml";

import { forward, type Terminal } from "../terminal/terminal.ts";
import { templateForm } from "./converted-forms.ts";
import { compileTemplate } from "./json-template.ts";

/** Converts an object that a command printed; `isFirst`: nothing was printed before. */
type Convert = (value: unknown, isFirst: boolean) => string;

function printYaml(value: unknown, isFirst: boolean): string {
  return `${isFirst ? "" : "---\n"}${stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

/** The converter for a value of `-o` that `isConverted`. Refuses an invalid template. */
export function chooseConverter(format: string): Convert {
  if (format === "yaml") return printYaml;
  const fill = compileTemplate(format.slice(templateForm.length));
  return (value) => {
    const text = fill(value);
    return text === "" || text.endsWith("\n") ? text : `${text}\n`;
  };
}

/** Parses a text once it is complete. */
function readWhole(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // Incomplete: the rest comes with the next writes.
  }
}

/**
 * Converts the JSON that a command prints, one object or one per line. So every command with JSON has YAML, JSONPath and jq
 * without knowing of them. Errors of `convert` become errors of the stream.
 */
export function convertOutput(stdout: Terminal["stdout"], convert: Convert): Writable {
  let text = "";
  let isFirst = true;
  const take = (chunk: string): string => {
    text += chunk;
    const whole = text.endsWith("\n") ? readWhole(text) : undefined;
    if (whole === undefined) return "";
    text = "";
    const converted = convert(whole.value, isFirst);
    isFirst = false;
    return converted;
  };
  return new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      try {
        forward(stdout, take(String(chunk)), done);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
    // A text that is not an object is printed unchanged.
    final: (done) => forward(stdout, text, done),
  });
}
