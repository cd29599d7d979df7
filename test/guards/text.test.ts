import { describe, expect, it } from "vitest";
import { checkText } from "../../scripts/guards/text.ts";

/** Joins refused words from parts, so that this file does not contain them itself. */
const join = (...parts: readonly string[]) => parts.join("");

describe("unfinished or switched-off code is refused", () => {
  const cases = [
    { name: "a line of 141 columns", path: "libs/rollouts/a.ts", text: "x".repeat(141), wantLines: [1] },
    { name: "a line of 140 columns", path: "libs/rollouts/a.ts", text: "x".repeat(140), wantLines: [] },
    { name: "a wide line of a script", path: ".ci/run", text: `\n${"x".repeat(141)}\n`, wantLines: [2] },
    { name: "a wide line of prose", path: "docs/a.md", text: "x".repeat(500), wantLines: [] },
    { name: "text past the shield", path: "cli/a.ts", text: join("stdout.wr", "ite(text)"), wantLines: [1] },
    {
      name: "the shield itself",
      path: "cli/terminal/terminal.ts",
      text: join("stdout.wr", "ite(text)"),
      wantLines: [],
    },
    {
      name: "a scope by its beginning",
      path: "libs/plan/a.ts",
      text: 'if (scope.startsWith("run/")) return scope.slice("run/".length);',
      wantLines: [1],
    },
    { name: "a scope by its separator", path: "cli/a.ts", text: 'scope.split("@")[0]', wantLines: [1] },
    { name: "scopes by hand", path: "cli/a.ts", text: 'new Set(["all", `run/${id}`])', wantLines: [1] },
    { name: "a scope by a template", path: "cli/a.ts", text: "x.startsWith(`run/${id}@`)", wantLines: [1] },
    {
      name: "a scope by a pattern",
      path: "services/a.ts",
      text: String.raw`/^run\/([^@]+)/.exec(scope)`,
      wantLines: [1],
    },
    {
      name: "the place where scopes are taken apart",
      path: "libs/input/stop-scope.ts",
      text: 'scope.startsWith("run/")',
      wantLines: [],
    },
    {
      name: "a command in words",
      path: "cli/requests/a.ts",
      text: 'const help = "stop it again:  meshroll pause all";',
      wantLines: [1],
    },
    { name: "one after a colon", path: "cli/a.ts", text: "why: `${x} failed: meshroll status`", wantLines: [1] },
    { name: "a command alone", path: "cli/a.ts", text: '["see  ", { command: "meshroll status" }]', wantLines: [] },
    { name: "a mention", path: "cli/a.ts", text: '"give the id that meshroll init printed"', wantLines: [] },
    {
      name: "a command in a topic of help",
      path: "cli/show/help-topics.ts",
      text: '"  meshroll plan x"',
      wantLines: [],
    },
    { name: "a to-do", path: "libs/rollouts/a.ts", text: join("// TO", "DO: later"), wantLines: [1] },
    { name: "a thing to fix", path: "cli/a.ts", text: join("ok\n// FIX", "ME"), wantLines: [2] },
    { name: "a to-do in a document", path: "docs/a.md", text: join("TO", "DO"), wantLines: [1] },
    { name: "a word that only holds one", path: "libs/rollouts/a.ts", text: join("MASTO", "DON"), wantLines: [] },
    { name: "a skipped test", path: "libs/rollouts/a.test.ts", text: join("it.sk", 'ip("x", run)'), wantLines: [1] },
    {
      name: "a lone suite",
      path: "libs/rollouts/a.test.ts",
      text: join("describe.on", 'ly("x", run)'),
      wantLines: [1],
    },
    { name: "a test to be written", path: "libs/rollouts/a.test.ts", text: join("test.to", 'do("x")'), wantLines: [1] },
    { name: "a skipped table", path: "libs/bus/conformance.ts", text: join("it.sk", "ip.each([])"), wantLines: [1] },
    { name: "a test that runs sometimes", path: "a/b.test.ts", text: join("it.ski", "pIf(x)('y')"), wantLines: [1] },
    { name: "a test that must fail", path: "a/b.test.ts", text: join("it.fai", 'ls("x", run)'), wantLines: [1] },
    { name: "a method of that name elsewhere", path: "libs/plan/a.ts", text: join("it.sk", "ip()"), wantLines: [] },
    { name: "all lint off", path: "cli/a.ts", text: join("/* oxlint-dis", "able */"), wantLines: [1] },
    {
      name: "a rule off without a reason",
      path: "cli/a.ts",
      text: join("// oxlint-dis", "able-next-line no-console"),
      wantLines: [1],
    },
    {
      name: "a rule off with a reason",
      path: "cli/a.ts",
      text: join("// oxlint-dis", "able-next-line no-control-regex -- finding them is the purpose"),
      wantLines: [],
    },
    { name: "a file's path by its URL", path: "cli/a.test.ts", text: join("golden.path", "name"), wantLines: [1] },
    { name: "a request's path", path: "sandbox/a.ts", text: join("url.path", "name"), wantLines: [] },
    { name: "a merge conflict", path: "docs/a.md", text: join("<<<<", "<<< HEAD"), wantLines: [1] },
    { name: "an old word for an interruption", path: "docs/a.md", text: join("it stands st", "ill"), wantLines: [1] },
    { name: "other people's text", path: "test/fixtures/a.ts", text: join("// TO", "DO"), wantLines: [] },
  ];

  it.each(cases)("$name", ({ path, text, wantLines }) => {
    expect(checkText(path, text).map(({ line }) => line)).toEqual(wantLines);
  });
});
