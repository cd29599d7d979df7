import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { type Campaign, parseCampaign } from "#libs/campaign";
import type { RolloutsRepository } from "#libs/git";
import type { LedgerState, RunRecord, StopRecord } from "#libs/plan";

import { type CameBy, findCameBy } from "./came-by.ts";
import { readLedgerInUse } from "../../ledger/read-ledger-in-use.ts";
import { readInput } from "../../terminal/input.ts";
import { type LoadedSpec, loadSpec } from "../../read/load-spec.ts";
import { compileTexts, readSpec, readTexts } from "../../read/read-spec.ts";
import { type RepositoryOptions, withRepository } from "../../read/repository.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { SpecOptions } from "../../options/spec-options.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** All that `explain` reads from files and the ledger. */
export interface ExplainSource {
  readonly spec: LoadedSpec;
  /** The rollouts file's text, for the notes of pins. */
  readonly text: string;
  readonly campaigns: readonly Campaign[];
  /** Stops in force in the ledger; absent = local files, or no ledger. */
  readonly stops?: readonly StopRecord[];
  /** Why they are not known. */
  readonly stopsUnknown?: string;
  /** The run that the namespace came by, where the ledger knows it. */
  readonly cameBy?: CameBy;
  /** An open run has the namespace's bucket, and may still move it; absent = not known. */
  readonly isInRun?: boolean;
  /** That run, the newest of them. */
  readonly openRun?: Pick<RunRecord, "id" | "campaign">;
  /** By run: what retries asked for. */
  readonly retried?: Readonly<Record<string, RunRecord["retried"]>>;
  /** The commit of main; absent = this folder's files. */
  readonly commit?: string;
}

/** Campaigns next to a local file; one that does not parse is left to `validate`. */
async function readCampaigns(folder: string, spec: LoadedSpec, terminal: Terminal): Promise<readonly Campaign[]> {
  const place = resolve(terminal.cwd, folder, "campaigns");
  if (!existsSync(place)) return [];
  const names = readdirSync(place).filter((name) => /\.ya?ml$/u.test(name));
  const parsed = await Promise.all(
    names.toSorted().map(async (name) => {
      const input = await readInput(join(place, name), terminal);
      const campaign = input.ok ? parseCampaign(input.bytes, `campaigns/${name}`, spec.settings) : undefined;
      return campaign?.ok === true ? [campaign.value] : [];
    }),
  );
  return parsed.flat();
}

async function readFolder(options: SpecOptions, terminal: Terminal): Promise<ExplainSource> {
  const spec = await loadSpec(options, terminal);
  const input = options.file === "-" ? undefined : await readInput(options.file, terminal);
  const text = input?.ok === true ? new TextDecoder().decode(input.bytes) : "";
  const campaigns = options.file === "-" ? [] : await readCampaigns(dirname(options.file), spec, terminal);
  return { spec, text, campaigns };
}

async function readMain(options: SpecOptions & RepositoryOptions, terminal: Terminal): Promise<ExplainSource> {
  return withRepository(options, terminal, async ({ repository, url }) => {
    const { compileRollouts } = await import("#libs/rollouts");
    const { rolloutsPath } = await import("#libs/plan");
    const { main } = await repository.fetch();
    const { rollouts, settings, campaigns } = await readSpec(repository, url, main);
    const seed = options.seed ?? settings.seed;
    const spec = { file: rolloutsPath, rollouts, settings, seed, resolver: compileRollouts(rollouts, seed) };
    const text = (await repository.read(main, rolloutsPath)) ?? "";
    return { spec, text, campaigns: [...campaigns.values()], commit: main };
  });
}

/** The ledger's records about a namespace. If the ledger cannot be read, main is explained without it. */
async function readRecorded(
  source: ExplainSource,
  namespace: string,
  options: RepositoryOptions,
  terminal: Terminal,
): Promise<Pick<ExplainSource, "stops" | "stopsUnknown" | "cameBy" | "retried" | "isInRun" | "openRun">> {
  try {
    return await withRepository(options, terminal, async ({ repository, ledger }) => {
      const state = await readLedgerInUse(repository, ledger, await repository.fetch());
      const stops = Object.values(state?.stops ?? {}).filter(({ resume }) => resume === undefined);
      const cameBy = await traceRun(source.spec, state, namespace, repository);
      const retried = Object.fromEntries(Object.values(state?.runs ?? {}).map((run) => [run.id, run.retried]));
      const { pattern } = source.spec.resolver.resolve(namespace).bucket;
      const open = Object.values(state?.runs ?? {})
        .filter((run) => run.state === "open" && run.buckets.includes(pattern))
        .toSorted((a, b) => b.order - a.order)[0];
      return {
        stops,
        retried,
        ...(state === undefined ? {} : { isInRun: open !== undefined }),
        ...(open === undefined ? {} : { openRun: open }),
        ...(cameBy === undefined ? {} : { cameBy }),
      };
    });
  } catch (error) {
    if (error instanceof Refusal) return { stopsUnknown: error.message };
    throw error;
  }
}

async function traceRun(
  spec: LoadedSpec,
  state: LedgerState | undefined,
  namespace: string,
  repository: RolloutsRepository,
): Promise<CameBy | undefined> {
  const { bucket, revision } = spec.resolver.resolve(namespace);
  return findCameBy(Object.values(state?.runs ?? {}), { pattern: bucket.pattern, revision }, async (commit) => {
    const compiled = await compileTexts(commit, await readTexts(repository, commit));
    return compiled.ok ? compiled.spec.resolver.resolve(namespace).revision : undefined;
  });
}

/** A named file, or one in this folder, is used without network; else main of the configured repository. */
export async function readSource(
  namespace: string,
  options: SpecOptions & RepositoryOptions,
  isFileNamed: boolean,
  terminal: Terminal,
): Promise<ExplainSource> {
  const isHere = existsSync(resolve(terminal.cwd, options.file));
  const isElsewhere = terminal.env["MESHROLL_REPO_URL"] !== undefined;
  const takesMain = options.repo !== undefined || (!isFileNamed && !isHere && isElsewhere);
  if (!takesMain) return readFolder(options, terminal);
  const source = await readMain(options, terminal);
  return { ...source, ...(await readRecorded(source, namespace, options, terminal)) };
}
