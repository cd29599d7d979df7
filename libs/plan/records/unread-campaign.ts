import type { Finding } from "#libs/rollouts";

/** A campaign whose file on main cannot be used: it does not parse, or contradicts another one. All of it is held. */
export interface UnreadCampaign {
  /** The file's name without extension, which is the campaign's. */
  readonly name: string;
  /** Path in the repository. */
  readonly file: string;
  /** The first error; it may be in another file that it contradicts. */
  readonly finding: Finding;
  /** The commit of main that last changed the file; absent = not looked up. */
  readonly since?: string;
}

/** The campaign's name in `campaigns/a.yml`. */
export function nameCampaignFile(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1).replace(/\.ya?ml$/u, "");
}
