import type { CasesOf } from "./cases.ts";

/** The first error of a file, with its place. */
export interface FileError {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The sentence about a campaign that an error in its file holds. */
export function explainUnread(file: string, error: FileError): string {
  const place = `${error.file}:${error.line}:${error.column} ${error.message}`;
  return `${file} has errors (${place}): nothing of this campaign moves forward or is proposed`;
}

interface FindingWords {
  readonly message: string;
  readonly help?: string;
}

const findings = {
  MovesNothing: (): FindingWords => ({
    message: "this change moves no namespace: no managed namespace changes revision",
    help: "raise the percentage until plan shows a move, or leave the file as it is",
  }),
  TooManyCampaigns: ({ most }: { readonly most: number }): FindingWords => ({
    message: `there are more than ${most} campaign files, and none of them is read`,
    help: "move the files of finished campaigns to campaigns/done/",
  }),
  NoRollouts: (): FindingWords => ({ message: "there is no such file, so what should run is unknown" }),
};

/** Words of the findings that depend on more than one file: on the fleet, or on which files there are. */
export function wordFinding(finding: CasesOf<typeof findings>): FindingWords {
  return (findings[finding.code] as (finding: CasesOf<typeof findings>) => FindingWords)(finding);
}
