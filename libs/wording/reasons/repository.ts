import { cleanLine } from "#libs/input";

import { explainUnread, type FileError } from "../file-errors.ts";
import { quoteForShell } from "../resume-command.ts";
import { gitServer, repositoryOwner, shorten, type Wordings } from "./wording.ts";

/** Where a file of main has an error. */
export interface ErrorPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

function printPlace(place: ErrorPlace | undefined): string {
  return place === undefined ? "" : ` (${place.file}:${place.line}:${place.column} ${place.message})`;
}

/** The message of GitHub or of its adapter, with the setting that fixes it. */
interface Refusal {
  readonly why: string;
}

function wordRefusal({ why }: Refusal) {
  return {
    message: `main cannot be fetched: newer commits are not seen, and after ten minutes nothing moves forward: ${why}`,
    owner: repositoryOwner,
    command: "meshroll doctor --only github",
  };
}

/** The age of main: never read, not read since the planner started, or in seconds. */
type MainAge = "never" | "sinceStart" | { readonly seconds: number };

/** What the files of a commit are needed for. */
type NeedsCommit =
  | { readonly kind: "run"; readonly run: string }
  | { readonly kind: "rollback"; readonly scope: string };

function nameNeed(need: NeedsCommit): string {
  return need.kind === "run" ? `run ${need.run}` : `the rollback of ${need.scope}`;
}

/** Problems with main and branch `meshroll/ledger`: they cannot be fetched or read. */
export const repositoryReasons = {
  GitDown: ({ age, hinders }: { readonly age: MainAge; readonly hinders: "moves" | "proposals" }) => {
    if (age === "never") {
      const message = "main was never read: git does not answer, and the clone of this planner holds none";
      return { message, owner: gitServer };
    }
    const outcome =
      hinders === "moves" ? "nothing moves forward, rollback --now still works" : "nothing is proposed on it";
    if (age === "sinceStart")
      return { message: `main was not read since the planner started: ${outcome}`, owner: gitServer };
    return { message: `main is not read: ${outcome}`, owner: gitServer, ageSeconds: age.seconds };
  },
  GitRefused: ({ why }: { readonly why: string }) => ({
    message: `main cannot be fetched or read: newer commits are not seen, and after ten minutes nothing moves: ${why}`,
    owner: repositoryOwner,
    command: "meshroll doctor --only git",
  }),
  AppKeyUnread: wordRefusal,
  AppKeyWrong: wordRefusal,
  AppUnknown: wordRefusal,
  AppClockOff: wordRefusal,
  AppNotInstalled: wordRefusal,
  AppSuspended: wordRefusal,
  AppNotForRepository: wordRefusal,
  AppRightMissing: ({ why }: Refusal) => ({
    message: `GitHub refuses some requests: ${why}`,
    owner: repositoryOwner,
    command: "meshroll doctor --only github",
  }),
  RepositoryMoved: wordRefusal,
  BranchGone: wordRefusal,
  /** `isJudged`: another version of meshroll read and judged it. */
  MainUnparsable: (reason: {
    readonly commit: string;
    readonly place?: ErrorPlace | undefined;
    readonly author?: string;
    readonly isJudged?: true;
  }) => {
    const place = printPlace(reason.place);
    const name = `commit ${shorten(reason.commit)} of main`;
    const message =
      reason.isJudged === true
        ? `${name}, which was judged last, does not parse with this version of meshroll${place}: ` +
          "nothing is compared with it, and nothing moves"
        : `${name} does not parse${place}`;
    const author = reason.isJudged === true ? repositoryOwner : "the author of the last merge";
    return { message, owner: reason.author ?? author, command: "meshroll validate" };
  },
  MainRewritten: ({ was }: { readonly was?: string }) =>
    was === undefined
      ? {
          message: "main was rewritten: nothing is proposed before its stop is resumed",
          owner: "the author of the push",
          command: "meshroll status",
        }
      : {
          message: explainForcedPush(was),
          owner: "the author of the push",
          command: `meshroll resume all --reason "main was rewritten on purpose"`,
        },
  CommitUnread: (reason: { readonly what: NeedsCommit; readonly commit: string; readonly place?: ErrorPlace }) => {
    const begin = `${nameNeed(reason.what)} waits for the files of commit ${shorten(reason.commit)}`;
    if (reason.place === undefined)
      return { message: `${begin}: they were not read from git yet, or main does not have it`, owner: gitServer };
    return {
      message: `${begin}: they do not parse with this version of meshroll${printPlace(reason.place)}`,
      owner: "the operator of the planner",
    };
  },
  LedgerDown: ({ why }: { readonly why: string }) => ({
    message: `branch meshroll/ledger refuses pushes: ${why}`,
    owner: repositoryOwner,
  }),
  LedgerSlow: ({ why }: { readonly why: string }) => ({
    message: `pushes to branch meshroll/ledger, where decisions are recorded, are slow (meshroll doctor --only git shows more): ${why}`,
    owner: gitServer,
  }),
  NoBaseline: ({ hinders }: { readonly hinders: "moves" | "proposals" }) => ({
    message: `no baseline is recorded on branch meshroll/ledger: ${hinders === "moves" ? "observing only" : "nothing is proposed"}`,
    owner: repositoryOwner,
    command: "meshroll init",
  }),
  ArchiveUnread: ({ scope, who }: { readonly scope: string; readonly who: string }) => ({
    message: `the retry of ${scope} by ${who} waits until its record in the archive of branch meshroll/ledger is read`,
    owner: gitServer,
  }),
  /** `in`: the file with the error, or the folder of which no file is read. */
  CampaignUnparsable: (reason: {
    readonly in: "file" | "folder";
    readonly file: string;
    readonly error: FileError;
  }) => {
    const { file, error } = reason;
    const owner = "the author of the last merge";
    return reason.in === "folder"
      ? { message: `${file}: ${error.message}`, owner, command: "meshroll validate" }
      : {
          message: explainUnread(file, error),
          owner,
          command: `meshroll validate ${quoteForShell(file)}`,
        };
  },
  MainUnreadable: ({ commit, why }: { readonly commit: string; readonly why: string }) => ({
    message: `commit ${shorten(commit)} of main cannot be read (${cleanLine(why, 400)}): nothing moves`,
    owner: repositoryOwner,
    command: "meshroll doctor --only git",
  }),
} satisfies Wordings;

/** Also the reason of the stop after a forced push. */
export function explainForcedPush(was: string): string {
  return `main was rewritten: ${was}, the head last recorded, is not in its history any more`;
}
