import { describe, expect, it } from "vitest";

import { findInCheckout, printAnnotation, printFindingAnnotations } from "./github-annotations.ts";

const finding = { code: "MR1004", file: "rollouts.yml", line: 3, column: 11, message: "105, not 100" } as const;

describe("annotations for GitHub Actions", () => {
  it.each([
    { name: "an error at its line", severity: "error", want: "::error file=rollouts.yml,line=3,col=11,title=MR1004::" },
    { name: "a warning", severity: "warning", want: "::warning file=rollouts.yml,line=3,col=11,title=MR1004::" },
    { name: "a note is a notice", severity: "note", want: "::notice file=rollouts.yml,line=3,col=11,title=MR1004::" },
  ] as const)("$name", ({ severity, want }) => {
    expect(printFindingAnnotations([{ ...finding, severity }])).toBe(`${want}105, not 100\n`);
  });

  it("has the advice on a line of its own", () => {
    const printed = printFindingAnnotations([{ ...finding, severity: "error", help: "make it 25 %" }]);
    expect(printed).toContain("::105, not 100%0Amake it 25 %25\n");
  });

  it.each([
    { name: "a line break in a message", text: "a\n::set-env name=PATH::/tmp" },
    { name: "a carriage return in a message", text: "a\r::add-mask::x" },
    { name: "an escaped line break stays as written", text: "a%0A::error::x" },
  ])("text from outside starts no workflow command: $name", ({ text }) => {
    const printed = printAnnotation({ level: "error", title: "t", message: text, file: text });
    expect(printed.trimEnd().split(/[\r\n]/u)).toHaveLength(1);
    expect(printed.split("::")).toHaveLength(text.split("::").length + 2);
    const message = printed.slice(printed.indexOf("::", 2) + 2).trimEnd();
    expect(message.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%")).toBe(text);
  });

  it("a file's name cannot add a property", () => {
    const printed = printAnnotation({ level: "error", title: "t", message: "m", file: "a,line=9:b.yml" });
    expect(printed).toBe("::error file=a%2Cline=9%3Ab.yml,title=t::m\n");
  });

  it.each([
    {
      name: "from the checkout's root",
      file: "rollouts.yml",
      env: { GITHUB_WORKSPACE: "/w" },
      want: "mesh/rollouts.yml",
    },
    { name: "as given where the root is unknown", file: "rollouts.yml", env: {}, want: "rollouts.yml" },
    { name: "stdin has no path", file: "(stdin)", env: {}, want: undefined },
  ])("a path: $name", ({ file, env, want }) => expect(findInCheckout(file, { cwd: "/w/mesh", env })).toBe(want));
});
