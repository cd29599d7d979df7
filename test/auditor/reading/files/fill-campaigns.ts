import { parse } from "yaml";

import type { AuditedCommit, Evidence } from "../../evidence/evidence.ts";
import { dig } from "./dig.ts";

/** True when the text is a campaign of that file's name with a list of stages. */
function isCampaign(path: string, text: string): boolean {
  try {
    const file: unknown = parse(text);
    const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\.ya?ml$/u, "");
    return dig(file, "metadata", "name") === stem && Array.isArray(dig(file, "spec", "stages"));
  } catch {
    return false; // Not YAML.
  }
}

/** Gives each commit the last readable text of each campaign: that one still applies when a newer text cannot be read. */
export function fillCampaigns(evidence: Evidence): Evidence {
  let last: Readonly<Record<string, string>> = {};
  const main = evidence.main.map((commit): AuditedCommit => {
    const broken = Object.keys(commit.campaigns).filter((path) => !isCampaign(path, commit.campaigns[path] ?? ""));
    const kept = broken.flatMap((path) => (last[path] === undefined ? [] : [[path, last[path]] as const]));
    last = { ...commit.campaigns, ...Object.fromEntries(kept) };
    return broken.length === 0 ? commit : { ...commit, campaigns: last };
  });
  return { ...evidence, main };
}
