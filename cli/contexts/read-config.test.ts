import { describe, expect, it } from "vitest";

import { readConfig } from "./read-config.ts";

const head = "apiVersion: meshroll.dev/v1\nkind: Config\n";

describe("a file of contexts", () => {
  it("is read with defaults", () => {
    const contexts = "contexts:\n  prod:\n    branch: trunk\n    nats: { portForward: { context: a } }\n";
    const text = `${head}current: prod\n${contexts}`;
    const read = readConfig(text);
    const portForward = { context: "a", namespace: "meshroll-system", target: "service/nats", port: 4222 };
    expect(read).toMatchObject({
      ok: true,
      config: { current: "prod", contexts: { prod: { nats: { portForward } } } },
    });
  });

  const wrong: readonly { readonly name: string; readonly text: string; readonly want: readonly string[] }[] = [
    {
      name: "an unknown field",
      text: `${head}contexts:\n  prod:\n    repo: x\n    branch: main\n`,
      want: ["5:5 contexts.prod.repo: there is no such field"],
    },
    {
      name: "several, in the order of the file",
      text: `${head}colour: red\ncontexts:\n  prod:\n    installation: X\n`,
      want: ["3:1 colour: there is no such field", "6:19 contexts.prod.installation: not an id of meshroll init"],
    },
    {
      name: "a password in an address",
      text: `${head}contexts:\n  prod:\n    nats: { url: "nats://a:b@host" }\n`,
      want: ["5:18 contexts.prod.nats.url: holds a login: give it as login: { env } or { command }"],
    },
    {
      name: "a secret in the file",
      text: `${head}contexts:\n  prod:\n    tokens: { git: hunter2 }\n`,
      want: ["5:20 contexts.prod.tokens.git: must be { env: NAME } or { command: [PROGRAM, ARGUMENT, …] }"],
    },
    {
      name: "an unknown current context",
      text: `${head}current: dev\ncontexts: { prod: {} }\n`,
      want: ["3:10 current: there is no context dev"],
    },
    {
      name: "a key twice",
      text: `${head}contexts: { a: {}, a: {} }\n`,
      want: [expect.stringMatching(/^3:20 /u) as string],
    },
    {
      name: "an alias",
      text: `${head}contexts: { a: &x {}, b: *x }\n`,
      want: ["3:26 aliases are not supported: write the value out"],
    },
    {
      name: "another kind",
      text: "apiVersion: meshroll.dev/v1\nkind: Rollouts\ncontexts: {}\n",
      want: [expect.stringMatching(/^2:7 kind: /u) as string],
    },
  ];
  it.each(wrong)("refuses $name, with line and column", ({ text, want }) => {
    expect(readConfig(text)).toEqual({ ok: false, problems: want });
  });
});
