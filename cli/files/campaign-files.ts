import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";

/** Unfinished campaigns of a working copy, `campaigns/<name>.yml`; those in `campaigns/done/` are finished. */
export function listCampaignFiles(cwd: string): readonly string[] {
  const folder = resolve(cwd, "campaigns");
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /\.ya?ml$/u.test(name));
  return names.toSorted().map((name) => `campaigns/${name}`);
}
