import type { Finding } from "#libs/rollouts";

/** A campaign whose file on main is not to be used: it does not parse, or contradicts another one. All of it is held. */
export interface UnreadCampaign {
  /** The file's name without its ending, which is the campaign's. */
  readonly name: string;
  /** Path in the repository. */
  readonly file: string;
  /** The first error; it may stand in another file: of a campaign that it contradicts, or of one that took its place. */
  readonly finding: Finding;
  /** The commit of main that brought the file as it is; absent = not looked for. */
  readonly since?: string;
}

/** `campaigns/a.yml` is the file of campaign `a`. */
export function nameCampaignFile(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1).replace(/\.ya?ml$/u, "");
}
