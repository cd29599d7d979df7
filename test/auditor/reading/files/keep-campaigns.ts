import { parse } from "yaml";

import type { AuditedCommit, Evidence } from "../../evidence/evidence.ts";
import { dig } from "./dig.ts";

/** True when the text is the campaign of that file: its name and a list of stages can be read. */
function isCampaign(path: string, text: string): boolean {
  try {
    const file: unknown = parse(text);
    const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\.ya?ml$/u, "");
    return dig(file, "metadata", "name") === stem && Array.isArray(dig(file, "spec", "stages"));
  } catch {
    return false; // Not YAML: that is what false says.
  }
}

/** Each commit with the last text of its campaigns that could be read: what they said binds on. */
export function keepCampaigns(evidence: Evidence): Evidence {
  let last: Readonly<Record<string, string>> = {};
  const main = evidence.main.map((commit): AuditedCommit => {
    const broken = Object.keys(commit.campaigns).filter((path) => !isCampaign(path, commit.campaigns[path] ?? ""));
    const kept = broken.flatMap((path) => (last[path] === undefined ? [] : [[path, last[path]] as const]));
    last = { ...commit.campaigns, ...Object.fromEntries(kept) };
    return broken.length === 0 ? commit : { ...commit, campaigns: last };
  });
  return { ...evidence, main };
}
