import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { readServiceSchemas } from "./service-schemas.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(`${root}/docs/reference/configuration.md`, "utf8");
const documented = [...page.matchAll(/^\| `(MESHROLL_\w+)`/gm)].map((match) => match[1] ?? "");
const schemas = await readServiceSchemas();

/** A value that is invalid for every variable with a form. */
const nonsense = "~ no value of any kind ~";

/** Starts a service as its own process and waits for its end. */
async function start(folder: string, env: Readonly<Record<string, string>>) {
  // The compile cache only saves time: half of a start.
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const args = ["--disable-warning=ExperimentalWarning", `${folder}/main.ts`];
  const options = { cwd: root, env: { PATH, NODE_COMPILE_CACHE, ...env } };
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => output.push(data.toString()));
  const limit = setTimeout(() => child.kill("SIGKILL"), 30_000);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(limit);
  return { code, output: output.join("") };
}

/** The variables that a message of problems names, in order. */
function listNamed(output: string): readonly string[] {
  return [...output.matchAll(/^ {2}(MESHROLL_\w+): /gm)].map((match) => match[1] ?? "");
}

describe.each(schemas)("$name", ({ folder, schema, variables, needed }) => {
  it("started with an empty environment names everything that it needs, once, and ends with 78", async () => {
    const { code, output } = await start(folder, {});
    expect(code).toBe(78);
    expect(output).toMatch(/^the environment is not usable:\n/);
    expect(listNamed(output).toSorted()).toEqual(needed.toSorted());
    expect(output).toContain("is not set");
  });

  it("started with invalid values names every variable that has a form, and never a value", async () => {
    const accepts = (each: string, value: unknown): boolean => {
      const field = schema.shape[each] as { safeParse(given: unknown): { readonly success: boolean } };
      return field.safeParse(value).success;
    };
    const withForm = variables.filter((each) => !accepts(each, nonsense));
    const others = variables.filter((each) => accepts(each, nonsense) && !accepts(each, undefined));
    const { code, output } = await start(folder, Object.fromEntries(withForm.map((each) => [each, nonsense])));
    expect(withForm.length).toBeGreaterThan(0);
    expect(code).toBe(78);
    expect(listNamed(output)).toEqual(expect.arrayContaining([...withForm, ...others]));
  });

  it("has a line in docs/reference/configuration.md for each of its variables", () => {
    expect(variables.filter((each) => !documented.includes(each))).toEqual([]);
  });
});

it("docs/reference/configuration.md names no variable that no service reads", () => {
  const read = new Set(schemas.flatMap(({ variables }) => variables));
  expect(documented.filter((each) => !read.has(each))).toEqual([]);
});
