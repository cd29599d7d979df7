import { findNamed } from "#libs/input";
import type { Campaign } from "#libs/campaign";
import type { RolloutsRepository } from "#libs/git";
import type { SpecTexts } from "#libs/repository";
import type { CompiledSpec, Spec } from "#libs/plan";
import type { Finding } from "#libs/rollouts";

import { exitCodes } from "../terminal/exit-codes.ts";
import { findRunTyped } from "../options/parse-scope.ts";
import { refuseUnknown } from "../names/unknown-name.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** Every file of a commit that belongs to the spec; one that is too large is named. */
export async function readTexts(repository: RolloutsRepository, commit: string): Promise<SpecTexts> {
  const { readSpecTexts } = await import("#libs/repository");
  return readSpecTexts({
    read: async (path) => repository.read(commit, path),
    list: async (folder) => repository.list(commit, folder),
  });
}

/** Compiles these texts, perhaps with one file added. */
export async function compileTexts(commit: string, texts: SpecTexts): Promise<CompiledSpec> {
  const repositorySnapshots = await import("#libs/repository");
  return repositorySnapshots.compileTexts(commit, texts);
}

/** `file:line:column MR1004 message`, one a line. */
export function listFindings(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === "error");
  return errors.map((each) => printFinding(each)).join("\n");
}

function printFinding({ file, line, column, code, message }: Finding): string {
  return `${file}:${line}:${column} ${code} ${message}`;
}

/** The first error of a file, with its place; undefined where there is none. */
export function printFirstError(findings: readonly Finding[]): string | undefined {
  const first = findings.find(({ severity }) => severity === "error");
  return first === undefined ? undefined : printFinding(first);
}

/** The parsed files of a branch, a tag or a commit; refuses one that does not exist or does not parse. */
export async function readSpec(repository: RolloutsRepository, url: string, ref: string): Promise<Spec> {
  return (await readWarned(repository, url, ref)).spec;
}

/** The same with warnings. */
export async function readWarned(
  repository: RolloutsRepository,
  url: string,
  ref: string,
): Promise<{ readonly spec: Spec; readonly warnings: readonly Finding[] }> {
  const sha = await repository.resolve(ref);
  if (sha === undefined)
    throw new Refusal(exitCodes.invalid, `${url} has no ${ref}`, "give a branch, a tag or a commit");
  const compiled = await compileTexts(sha, await readTexts(repository, sha));
  if (compiled.ok)
    return { spec: compiled.spec, warnings: compiled.findings.filter(({ severity }) => severity === "warning") };
  const short = ref === sha ? ref.slice(0, 12) : ref;
  const found = listFindings(compiled.findings).replaceAll("\n", "\n  ");
  throw new Refusal(exitCodes.invalid, `${short} of ${url} does not parse:\n  ${found}`, fixSpec(compiled.findings));
}

/** How to correct a main that does not parse; without a rollouts.yml it may be another repository. */
export function fixSpec(findings: readonly Finding[]): Sentence {
  const isMissing = findings.some(({ code, file }) => code === "MR1000" && file === "rollouts.yml");
  if (isMissing) return "push a rollouts.yml to it, or name the rollouts repository: --repo URL (MESHROLL_REPO_URL)";
  return ["run `", { command: "meshroll validate" }, "` in a checkout of it"];
}

/** An unfinished campaign by name; refuses one with errors, and an unknown one with those that exist. */
export function findCampaign({ campaigns, unread = [] }: Pick<Spec, "campaigns" | "unread">, text: string): Campaign {
  const name = findNamed("campaign", text) ?? text;
  const broken = unread.find((one) => one.name === name);
  if (broken !== undefined) {
    const found = listFindings([broken.finding]);
    throw new Refusal(exitCodes.invalid, `${broken.file} has errors:\n  ${found}`, fixSpec([broken.finding]));
  }
  const found = campaigns.get(name);
  if (found !== undefined) return found;
  const run = findRunTyped(text);
  if (run !== undefined)
    throw new Refusal(exitCodes.invalid, `${text} names a run: there is no such campaign`, [
      { command: `meshroll describe run/${run}` },
    ]);
  throw refuseUnknown("campaign", name, campaigns.keys(), [
    "main has no unfinished campaign:  ",
    { command: "meshroll start FILE" },
    "  brings one",
  ]);
}
