import { describe, expect, it } from "vitest";

import { locate, openSource } from "../source/source.ts";
import { readYaml } from "./read-yaml.ts";

function read(text: string): readonly string[] {
  const source = openSource(text, "rollouts.yml");
  return readYaml(source).problems.map(({ code, span }) => {
    const { line, column } = locate(source, span.start);
    return `${code} ${line}:${column}`;
  });
}

describe("readYaml reads", () => {
  it.each([
    ["a comment full of signs", "# &a *b !c ? - [[[ {{{ | > <<: %\nproduction: # *x &y\n  a: 100 # [\n"],
    ["signs in quotes", "\"a: *b\": {x: 100}\n'a: &b''!': {x: 100}\n"],
    ["signs inside plain text", "a*b&c!d|e>f: {x: 100}\na-[x-z]+{2}: {x: 100}\na?: {x: 100}\n"],
    ["one document marker at the top, after comments, and one at the end", "# head\n---\nproduction: {x: 100}\n...\n"],
    ["escapes that YAML knows", '"\\x2E*\\u0041\\U0001F600\\n\\\\d": {x: 100}\n'],
    ["nothing", ""],
  ])("%s", (_name, text) => {
    expect(read(text)).toEqual([]);
  });
});

describe("readYaml refuses", () => {
  it.each([
    ["an anchor on a key", "&a production: {x: 100}\n", ["MR1013 1:1"]],
    ["an anchor behind a colon without a blank", 'production: {"x":&a 100}\n', ["MR1013 1:18"]],
    ["an alias as a value", "production:\n  x: *a\n", ["MR1013 2:6"]],
    ["a wildcard that YAML takes for an alias", "*-staging: {x: 100}\n", ["MR1013 1:1"]],
    ["a tag that the library knows", "production: {x: !!str 100}\n", ["MR1013 1:17"]],
    ["a tag that it does not know", "production: {x: !pct 100}\n", ["MR1013 1:17"]],
    ["a map as a key", "{a: 1}: {x: 100}\n", ["MR1013 1:1"]],
    ["a second document", "production: {x: 100}\n---\n", ["MR1013 2:1"]],
    ["a version", "%YAML 1.1\n---\nproduction: {x: 100}\n", ["MR1013 1:1"]],
    ["a handle of tags", "# x\n%TAG ! tag:x,2000:\n---\nproduction: {x: 100}\n", ["MR1013 2:1"]],
    ["one finding per line", "a: *b\nc: &d\ne: !f\n", ["MR1013 1:4", "MR1013 2:4", "MR1013 3:4"]],
    ["reserved signs", "@a: {x: 100}\n`b: {x: 100}\n", ["MR1001 1:1", "MR1001 2:1"]],
    ["more levels than the stack can hold", "[".repeat(10_000), ["MR1015 1:1"]],
  ])("%s", (_name, text, want) => {
    expect(read(text)).toEqual(want);
  });

  it("a wildcard, with the pattern that was meant", () => {
    const { problems } = readYaml(openSource("*-staging: {x: 100}\n", "rollouts.yml"));
    expect(problems[0]?.help).toBe("a pattern is a regular expression: write `.*-staging`");
  });
});
