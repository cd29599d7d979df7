import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { ConfigProblems } from "./config-problems.ts";
import { readConfig } from "./read-config.ts";
import { secret } from "../secrets/secret.ts";

const schema = z.object({
  MESHROLL_REPO: z.string("where the rollouts repository is"),
  MESHROLL_PORT: z.coerce.number().int().default(8080),
  MESHROLL_MODE: z.enum(["observe", "act"]),
  MESHROLL_TOKEN: secret().optional(),
});
const good = { MESHROLL_REPO: "/repo", MESHROLL_MODE: "act" };

function readProblems(env: Readonly<Record<string, string | undefined>>): ConfigProblems {
  try {
    readConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigProblems) return error;
  }
  throw new Error("the environment was accepted");
}

describe("an environment is read whole", () => {
  it("gives the values, with defaults, and leaves other variables alone", () => {
    expect(readConfig(schema, { ...good, HOME: "/root" })).toEqual({
      MESHROLL_REPO: "/repo",
      MESHROLL_MODE: "act",
      MESHROLL_PORT: 8080,
    });
  });

  const cases = [
    { name: "nothing is set", env: {}, wantNames: ["MESHROLL_REPO", "MESHROLL_MODE"] },
    { name: "one is empty", env: { ...good, MESHROLL_REPO: "" }, wantNames: ["MESHROLL_REPO"] },
    { name: "one is of the wrong kind", env: { ...good, MESHROLL_PORT: "many" }, wantNames: ["MESHROLL_PORT"] },
    {
      name: "three are wrong",
      env: { MESHROLL_PORT: "x", MESHROLL_MODE: "go" },
      wantNames: ["MESHROLL_REPO", "MESHROLL_PORT", "MESHROLL_MODE"],
    },
  ];
  it.each(cases)("all problems at once: $name", ({ env, wantNames }) => {
    expect(readProblems(env).problems.map(({ name }) => name)).toEqual(wantNames);
  });

  it("an absent variable is reported as absent, with its purpose", () => {
    expect(readProblems({ MESHROLL_MODE: "act" }).message).toContain(
      "MESHROLL_REPO: is not set; where the rollouts repository is",
    );
  });

  it("the list has a line for each problem", () => expect(readProblems({}).message.split("\n")).toHaveLength(3));
});

describe("a secret of the environment", () => {
  const token = readConfig(schema, { ...good, MESHROLL_TOKEN: "hunter2-hunter2" }).MESHROLL_TOKEN;

  it("is given to its reader", () => expect(token?.reveal()).toBe("hunter2-hunter2"));

  const printed = [
    { name: "a template", text: String(token) },
    { name: "JSON", text: JSON.stringify({ token }) },
    { name: "inspect", text: inspect({ token }, { showHidden: true }) },
  ];
  it.each(printed)("is not shown by $name", ({ text }) => {
    expect(text).toContain("[secret]");
    expect(text).not.toContain("hunter2");
  });

  it("is not shown when another variable is wrong", () => {
    expect(readProblems({ MESHROLL_TOKEN: "hunter2-hunter2" }).message).not.toContain("hunter2");
  });
});

it("says what is wrong with several variables together, also while one of them alone is wrong", () => {
  const together = z
    .object({ NEEDED: z.string(), ONE: z.string().optional(), OTHER: z.coerce.number().optional() })
    .refine(({ ONE, OTHER }) => (ONE === undefined) === (OTHER === undefined), {
      path: ["ONE"],
      message: "goes with OTHER",
    });
  const read = (env: Readonly<Record<string, string>>) => () => readConfig(together, env);
  expect(read({ OTHER: "1" })).toThrow(/NEEDED: is not set\n {2}ONE: goes with OTHER/);
  expect(read({ ONE: "1", OTHER: "x" })).toThrow(/NEEDED: .*\n {2}OTHER: /);
  expect(read({ NEEDED: "a", ONE: "1", OTHER: "2" })()).toEqual({ NEEDED: "a", ONE: "1", OTHER: 2 });
  const fragile = together.refine(({ OTHER }) => OTHER === undefined || OTHER.toFixed(1) !== "");
  expect(() => readConfig(fragile, { OTHER: "x" })).toThrow(/NEEDED: .*\n {2}OTHER: /);
});
