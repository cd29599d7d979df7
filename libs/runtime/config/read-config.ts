import { lookUp, isInstallationId } from "#libs/input";
import { z } from "zod";
import { ConfigProblems } from "./config-problems.ts";
import { accessSync, constants, statSync } from "node:fs";

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Schema of a path to a file that this process can read. */
export function readableFile() {
  return z.string().refine(isReadable, { message: "is no file that this process can read" });
}

/** The variable that says which installation a process serves: its buckets, subjects and queues have no others' names. */
export const installationVariable = {
  MESHROLL_INSTALLATION: z
    .string("the id that meshroll init printed (again: meshroll init --dry-run)")
    .refine(isInstallationId, "is not an id of meshroll init: a small letter and 11 of a-z and 0-9"),
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Zod's own word for an absent variable, "expected string, received undefined", is no help to who forgot it: none is said. */
const withoutWordOfAbsent: z.core.ParseContext<z.core.$ZodIssue> = {
  error: ({ code, input }) => (code === "invalid_type" && input === undefined ? "" : undefined),
};

function describe(issue: z.core.$ZodIssue, given: Environment): string {
  const isAbsent = issue.code === "invalid_type" && lookUp(given, String(issue.path[0])) === undefined;
  if (!isAbsent) return issue.message;
  return issue.message === "" ? "is not set" : `is not set; ${issue.message}`;
}

/**
 * Everything that is wrong. Zod leaves out what a schema says about several variables together while one of them alone is
 * wrong, and a second start would find it; `first` is what it found by itself.
 */
function findAll(schema: z.ZodObject, given: Environment, first: z.ZodError): z.ZodError {
  const checks = schema._zod.def.checks ?? [];
  const before = checks.map((check) => check._zod.def.when);
  try {
    for (const check of checks) check._zod.def.when = () => true;
    return schema.safeParse(given, withoutWordOfAbsent).error ?? first;
  } catch {
    // A check that cannot bear a wrong variable: it will speak once that one is right.
    return first;
  } finally {
    for (const [index, check] of checks.entries()) check._zod.def.when = before[index];
  }
}

/**
 * The part of the environment that a process uses, checked whole: throws `ConfigProblems` with everything that is
 * wrong, never a value, which may be a secret. An empty variable counts as absent, because shells and charts cannot
 * distinguish the two.
 */
export function readConfig<S extends z.ZodObject>(schema: S, env: Environment): z.infer<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const read = schema.safeParse(given, withoutWordOfAbsent);
  if (read.success) return read.data;
  const problems = findAll(schema, given, read.error).issues.map((issue) => {
    return { name: issue.path.map(String).join(".") || "environment", message: describe(issue, given) };
  });
  throw new ConfigProblems(problems);
}
