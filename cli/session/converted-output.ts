import { Writable } from "node:stream";

import { stringify } from "yaml";

import { forward, type Terminal } from "../terminal/terminal.ts";
import { templateForm } from "./converted-forms.ts";
import { compileTemplate } from "./json-template.ts";

/** An object that a command printed -> what is printed instead; `isFirst`: nothing was before it. */
type Convert = (value: unknown, isFirst: boolean) => string;

function printYaml(value: unknown, isFirst: boolean): string {
  return `${isFirst ? "" : "---\n"}${stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

/** How JSON is printed for a value of `-o` that `isConverted`. Refuses a template that is none. */
export function chooseConverter(format: string): Convert {
  if (format === "yaml") return printYaml;
  const fill = compileTemplate(format.slice(templateForm.length));
  return (value) => {
    const text = fill(value);
    return text === "" || text.endsWith("\n") ? text : `${text}\n`;
  };
}

/** The object in a text, once all of it is there. */
function readWhole(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // A part of it: the rest comes with the next writes.
  }
}

/**
 * Takes what a command prints with `-o json`, one object or one a line, and prints each object in another form. So every command
 * that has JSON has YAML, JSONPath and jq, and none of them knows. What `convert` throws is the error of the stream, at once.
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
    // What is no object is printed as it is, so that nothing is kept back.
    final: (done) => forward(stdout, text, done),
  });
}
