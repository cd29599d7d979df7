import { cleanLine } from "#libs/input";

import type { Reason } from "./decision.ts";

/**
 * Why the newest commit of branch `meshroll/ledger` is not gone by. While there is a doubt no workload moves, but for a
 * `rollback --now` that is on the bus; decisions see the newest ledger that was read without one.
 */
export type LedgerDoubt =
  | {
      readonly kind: "unreadable";
      readonly commit: string;
      /** Path in the branch, and the field in it, where they are known. */
      readonly file?: string;
      readonly field?: string;
      readonly why: string;
      /** A build of another version wrote it: there is nothing to repair. */
      readonly isOtherVersion?: true;
    }
  /** A commit of main, for a reason that is none of its files': those that do not parse are named one by one. */
  | { readonly kind: "mainUnread"; readonly commit: string; readonly why: string }
  /** It speaks for another installation than this process serves. */
  | { readonly kind: "otherInstallation"; readonly commit: string; readonly installation: string }
  /** It names another baseline than was recorded first, which main still has. */
  | {
      readonly kind: "baselineChanged";
      readonly commit: string;
      /** Commits of main. */
      readonly baseline: string;
      readonly recorded: string;
      /** The ledger's commit that recorded it. */
      readonly recordedBy: string;
    }
  /** Main names who may write the ledger, and none of them signed it. */
  | {
      readonly kind: "unsigned";
      readonly commit: string;
      /** As the commit names it, chosen by its maker. */
      readonly author: string;
      readonly why: string;
    }
  /** Main names who may write the ledger, and this process is to record there: it has none of their keys. */
  | {
      readonly kind: "cannotSign";
      /** The key that it has; absent = none. */
      readonly key?: { readonly fingerprint: string; readonly publicKey: string };
    }
  | {
      readonly kind: "setBack";
      /** The newest commit that was read before. */
      readonly known: string;
      /** Where the branch stands now; absent = it is gone. */
      readonly found?: string;
      /** It contains `known`, and its transitions are fewer. */
      readonly isCountedBack?: true;
    };

const branch = "meshroll/ledger";

function describeUnreadable({
  commit,
  file,
  field,
  why,
  isOtherVersion,
}: Extract<LedgerDoubt, { readonly kind: "unreadable" }>): Reason {
  const place = [file, ...(field === undefined ? [] : [`field ${field}`])].filter((each) => each !== undefined);
  const fault = cleanLine(place.length === 0 ? why : `${place.join(", ")}: ${why}`, 400);
  const code = "LedgerUnreadable";
  const message = `commit ${commit.slice(0, 12)} of branch ${branch} cannot be read (${fault}): nothing moves`;
  // To undo what a newer build wrote would forget what it decided.
  if (isOtherVersion === true) return { code, message, owner: "who installs meshroll" };
  return { code, message, owner: "who pushed to meshroll/ledger", command: "meshroll ledger check" };
}

function describeSetBack({ known, found, isCountedBack }: Extract<LedgerDoubt, { readonly kind: "setBack" }>): Reason {
  const newest = known.slice(0, 12);
  const code = "LedgerSetBack";
  const owner = "who pushed to meshroll/ledger";
  if (isCountedBack === true) {
    const message =
      `commit ${found?.slice(0, 12) ?? ""} of branch ${branch} has a lower sequence than ${newest}, ` +
      "which was read before: nothing moves";
    const commit = `$(git commit-tree '${known}^{tree}' -p ${found ?? ""} -m 'as in ${newest}')`;
    const command = `git fetch origin ${branch} && git push origin "${commit}":refs/heads/${branch}`;
    return { code, message, owner, command };
  }
  const stands = found === undefined ? "is gone" : `stands at ${found.slice(0, 12)} and does not contain ${newest}`;
  const had = found === undefined ? `its commit ${newest} was` : "which was";
  const message = `branch ${branch} ${stands}, ${had} read before: nothing moves`;
  const lease = found === undefined ? "" : ` --force-with-lease=${branch}:${found}`;
  const command = `git fetch origin ${known} && git push${lease} origin ${known}:refs/heads/${branch}`;
  return { code, message, owner, command };
}

function describeBaseline({
  commit,
  baseline,
  recorded,
  recordedBy,
}: Extract<LedgerDoubt, { readonly kind: "baselineChanged" }>): Reason {
  return {
    code: "BaselineChanged",
    message:
      `commit ${commit.slice(0, 12)} of branch ${branch} has the baseline ${baseline.slice(0, 12)}; recorded was ` +
      `${recorded.slice(0, 12)}, which main still has: nothing moves`,
    owner: "who pushed to meshroll/ledger",
    command:
      `git fetch origin ${branch} && git switch --detach FETCH_HEAD && git checkout ${recordedBy} -- baseline && ` +
      `git commit -m "the baseline as it was recorded" && git push origin HEAD:refs/heads/${branch}`,
  };
}

function describeUnsigned({ commit, author, why }: Extract<LedgerDoubt, { readonly kind: "unsigned" }>): Reason {
  return {
    code: "LedgerUnsigned",
    message:
      `commit ${commit.slice(0, 12)} of branch ${branch} by "${cleanLine(author, 100)}" is not signed by a key in ledger.signers ` +
      `of meshroll.yml (${cleanLine(why, 200)}): nothing moves`,
    owner: "who pushed to meshroll/ledger",
    command: "meshroll ledger check",
  };
}

function describeNoKey({ key }: Extract<LedgerDoubt, { readonly kind: "cannotSign" }>): Reason {
  const code = "LedgerKeyMissing";
  const owner = "who starts the services";
  const wants = "ledger.signers of meshroll.yml names who may write the ledger";
  if (key === undefined) {
    const message = `${wants}, and this planner has no key: it can record nothing, and nothing moves`;
    return { code, message, owner, command: "start the planner with MESHROLL_LEDGER_KEY_FILE=FILE" };
  }
  return {
    code,
    message: `${wants}, and this planner's key ${key.fingerprint} is none of them: it can record nothing, and nothing moves`,
    owner,
    command: `start the planner with the key of one of them, or merge into ledger.signers: ${key.publicKey}`,
  };
}

/** For people: what is wrong with the ledger, where, and the command that puts it right. */
export function describeDoubt(doubt: LedgerDoubt): Reason {
  switch (doubt.kind) {
    case "unreadable":
      return describeUnreadable(doubt);
    case "setBack":
      return describeSetBack(doubt);
    case "baselineChanged":
      return describeBaseline(doubt);
    case "unsigned":
      return describeUnsigned(doubt);
    case "cannotSign":
      return describeNoKey(doubt);
    case "otherInstallation": {
      const { commit, installation } = doubt;
      return {
        code: "OtherInstallation",
        message:
          `commit ${commit.slice(0, 12)} of branch ${branch} speaks for installation ${installation}, ` +
          "and this process serves another: nothing moves",
        owner: "who starts the services",
        command: `start every service with MESHROLL_INSTALLATION=${installation}`,
      };
    }
    case "mainUnread": {
      const message = `commit ${doubt.commit.slice(0, 12)} of main cannot be read (${cleanLine(doubt.why, 400)}): nothing moves`;
      return {
        code: "MainUnreadable",
        message,
        owner: "the owners of the rollouts repository",
        command: "meshroll doctor --only git",
      };
    }
  }
}
