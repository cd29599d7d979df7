import { code, joinParagraphs } from "../../markdown/cells.ts";
import { type CampaignFileWords, printCampaignFile } from "./campaign-files.ts";
import { printMoves, type MovesWords } from "./moves.ts";
import { printStageNote, type StageNote } from "./stage-part.ts";

/** What a pull request changes other than the shares of buckets. */
export interface ChangeWords {
  readonly isRollback: boolean;
  /** Values in `meshroll.yml` change. */
  readonly settings: boolean;
  /** Paths of changed campaigns. */
  readonly campaigns: readonly string[];
  /** Changed paths that meshroll does not read. */
  readonly unread: readonly string[];
}

/** Everything that a check shows of a change that parses, whatever the verdict. */
export interface ChangeReport {
  readonly change: ChangeWords;
  readonly note?: StageNote;
  readonly campaignFiles: readonly CampaignFileWords[];
  readonly moves: MovesWords;
  /** Clusters that are not seen now: their counts are from when they were last seen. */
  readonly unseen: readonly string[];
}

const shownPaths = 10;

function printUnread(paths: readonly string[]): string {
  const more = paths.length > shownPaths ? ` and ${paths.length - shownPaths} more` : "";
  const names = paths.slice(0, shownPaths).map(code).join(", ");
  return `It also changes ${names}${more}, which meshroll does not read: so it needs approvals like any other change.`;
}

export function printChange(change: ChangeWords): string {
  const lines: string[] = [];
  if (change.isRollback) lines.push("It restores what main had before, so no hold applies to it.");
  if (change.settings) lines.push("Values in `meshroll.yml` change.");
  if (change.campaigns.length > 0) lines.push(`Campaigns change: ${change.campaigns.map(code).join(", ")}.`);
  if (change.unread.length > 0) lines.push(printUnread(change.unread));
  return lines.join(" ");
}

/** The whole of it, as Markdown. */
export function printReport({ change, note, campaignFiles, moves, unseen }: ChangeReport): string {
  const seen =
    unseen.length === 0
      ? ""
      : `Not seen now, and counted only as far as they were seen before: ${unseen.map(code).join(", ")}.`;
  const files = campaignFiles.map(printCampaignFile).join("\n\n");
  const stage = note === undefined ? "" : printStageNote(note);
  return joinParagraphs(printChange(change), stage, files, printMoves(moves), seen);
}
