import { type Campaign, listConflicts, parseCampaign, type Settings } from "#libs/campaign";
import type { Finding, Rollouts } from "#libs/rollouts";

import { nameCampaignFile, type UnreadCampaign } from "../records/index.ts";

/** Campaign files of one commit by path: the text, or why it was not read. */
export type CampaignTexts = Readonly<Record<string, string | Finding>>;

/** The parsed files below `campaigns/`. */
export interface ReadCampaigns {
  /** In the order of paths: those that parse, also where they contradict each other. */
  readonly campaigns: readonly Campaign[];
  /** The held ones: those that do not parse, and those that contradict another one, which are in `campaigns` too. */
  readonly unread: readonly UnreadCampaign[];
  readonly findings: readonly Finding[];
}

function readOne(file: string, text: string | Finding, base: Settings) {
  if (typeof text !== "string") return { findings: [text] };
  const parsed = parseCampaign(text, file, base);
  return parsed.ok ? { campaign: parsed.value, findings: parsed.findings } : { findings: parsed.findings };
}

function isError({ severity }: Finding): boolean {
  return severity === "error";
}

/** Parses each with `meshroll.yml` as defaults, then checks them against each other and against the buckets (undefined = not known). */
export function readCampaigns(texts: CampaignTexts, base: Settings, rollouts: Rollouts | undefined): ReadCampaigns {
  const read = Object.entries(texts).map(([file, text]) => ({ file, ...readOne(file, text, base) }));
  const campaigns = read.flatMap(({ campaign }) => campaign ?? []);
  const conflicts = rollouts === undefined ? [] : listConflicts(campaigns, rollouts);
  const unread = read.flatMap(({ file, findings }): UnreadCampaign[] => {
    const finding = findings.find(isError) ?? conflicts.find(({ files }) => files.includes(file))?.finding;
    return finding === undefined ? [] : [{ name: nameCampaignFile(file), file, finding }];
  });
  const findings = [...read.flatMap((one) => one.findings), ...conflicts.map(({ finding }) => finding)];
  return { campaigns, unread, findings };
}
