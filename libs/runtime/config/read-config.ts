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
  return z.string().refine(isReadable, { message: "is not a file that this process can read" });
}

/** The installation that a process serves: its buckets, subjects and queues carry this name. */
export const installationVariable = {
  MESHROLL_INSTALLATION: z
    .string("the id that meshroll init printed (again: meshroll init --dry-run)")
    .refine(isInstallationId, "is not an id of meshroll init: a small letter and 11 of a-z and 0-9"),
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Replaces zod's message for an absent variable, "expected string, received undefined". */
const withoutWordOfAbsent: z.core.ParseContext<z.core.$ZodIssue> = {
  error: ({ code, input }) => (code === "invalid_type" && input === undefined ? "" : undefined),
};

function describe(issue: z.core.$ZodIssue, given: Environment): string {
  const isAbsent = issue.code === "invalid_type" && lookUp(given, String(issue.path[0])) === undefined;
  if (!isAbsent) return issue.message;
  return issue.message === "" ? "is not set" : `is not set; ${issue.message}`;
}

/**
 * All problems. While one variable is wrong, zod leaves out checks over several variables, which a second start would report;
 * `first` is what zod found.
 */
function findAll(schema: z.ZodObject, given: Environment, first: z.ZodError): z.ZodError {
  const checks = schema._zod.def.checks ?? [];
  const before = checks.map((check) => check._zod.def.when);
  try {
    for (const check of checks) check._zod.def.when = () => true;
    return schema.safeParse(given, withoutWordOfAbsent).error ?? first;
  } catch {
    // A check that fails on a wrong variable; it runs once that variable is right.
    return first;
  } finally {
    for (const [index, check] of checks.entries()) check._zod.def.when = before[index];
  }
}

/**
 * Reads the variables that a process uses and checks all of them. Throws `ConfigProblems` with every problem and without any
 * value, which may be a secret. An empty variable counts as absent, because shells and charts cannot distinguish the two.
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
