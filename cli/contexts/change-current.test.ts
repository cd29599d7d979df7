import { parseDocument } from "yaml";
import { describe, expect, it } from "vitest";

import { changeCurrent } from "./change-current.ts";

function change(text: string, name: string): string {
  return changeCurrent({ text, document: parseDocument(text) }, name);
}

describe("the current context in the text of a file", () => {
  it("is changed as one word, and its comment stays", () => {
    expect(change("kind: Config\ncurrent: dev # small\ncontexts: {}\n", "prod")).toBe(
      "kind: Config\ncurrent: prod # small\ncontexts: {}\n",
    );
  });

  it("is added where there was none", () => {
    expect(change("kind: Config # ours\ncontexts: {}\n", "prod")).toBe(
      "kind: Config # ours\ncurrent: prod\ncontexts: {}\n",
    );
  });

  it("is quoted where YAML would not read it as a text", () => {
    for (const name of ["1.25", "no", "null"]) {
      const text = change("kind: Config\ncurrent: dev\n", name);
      expect(parseDocument(text).toJS()).toMatchObject({ current: name });
    }
  });
});
