import { GitTooLarge } from "#libs/git";
import {
  campaignsFolder,
  chooseCampaignPaths,
  type CompiledSpec,
  compileSpec,
  rolloutsPath,
  settingsPath,
} from "#libs/plan";
import type { Finding } from "#libs/rollouts";

/** The files of one commit, or of a merge on trial. */
export interface SpecSource {
  /** Undefined when there is no such file. */
  read(path: string): Promise<string | undefined>;
  /** Full paths of the files directly in a folder. */
  list(folder: string): Promise<readonly string[]>;
}

/** The texts of `rollouts.yml`, `meshroll.yml` and the campaigns. */
export interface SpecTexts {
  readonly rollouts?: string;
  readonly settings?: string;
  /** By path. */
  readonly campaigns: Readonly<Record<string, string>>;
  /** MR1015 for each file or folder that is larger than git hands out. */
  readonly refused: readonly Finding[];
}

function refuse({ path, message }: GitTooLarge): Finding {
  return { code: "MR1015", severity: "error", file: path, line: 1, column: 1, message, help: `make ${path} smaller` };
}

/** Reads all of them; of campaign files at most one more than allowed, which compiling then reports. */
export async function readSpecTexts(source: SpecSource): Promise<SpecTexts> {
  const refused: Finding[] = [];

  async function attempt<T>(reading: Promise<T>, otherwise: T): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof GitTooLarge)) throw error;
      refused.push(refuse(error));
      return otherwise;
    }
  }

  const campaigns = new Map<string, string>();
  for (const path of chooseCampaignPaths(await attempt(source.list(campaignsFolder), []))) {
    const text = await attempt(source.read(path), undefined);
    if (text !== undefined) campaigns.set(path, text);
  }
  const rollouts = await attempt(source.read(rolloutsPath), undefined);
  const settings = await attempt(source.read(settingsPath), undefined);
  return {
    campaigns: Object.fromEntries(campaigns),
    refused,
    ...(rollouts === undefined ? {} : { rollouts }),
    ...(settings === undefined ? {} : { settings }),
  };
}

/** The compiled files, or all findings. A campaign file that is too large for git counts as one that does not parse. */
export function compileTexts(commit: string, { rollouts, settings, campaigns, refused }: SpecTexts): CompiledSpec {
  const isOfAll = refused.some(({ file }) => file === rolloutsPath || file === settingsPath);
  if (isOfAll) return { ok: false, findings: refused };
  const folder = refused.find(({ file }) => file === campaignsFolder);
  const large = refused.filter((finding) => finding !== folder);
  const files = { ...campaigns, ...Object.fromEntries(large.map((finding) => [finding.file, finding])) };
  return compileSpec(commit, rollouts, settings, files, folder);
}
