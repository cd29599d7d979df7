import { cleanLine } from "#libs/input";

import { shorten, type Wordings } from "./wording.ts";

const branch = "meshroll/ledger";
const pusher = "the pusher of meshroll/ledger";
const guide = "docs/how-to/protect-the-ledger.md";
const starter = "the operator of the services";

/** A commit of the ledger with a lower sequence than one that was read before: the command writes the newer one's tree on top of it. */
function wordCountedBack(found: string, known: string) {
  const newest = shorten(known);
  const message = `commit ${shorten(found)} of branch ${branch} has a lower sequence than ${newest}, which was read before: nothing moves`;
  const commit = `$(git commit-tree '${known}^{tree}' -p ${found} -m 'as in ${newest}')`;
  const command = `git fetch origin ${branch} && git push origin "${commit}":refs/heads/${branch}`;
  return { message, owner: pusher, command };
}

/** Why the newest commit of branch `meshroll/ledger` does not count. */
export const ledgerDoubtReasons = {
  LedgerUnreadable: (reason: {
    readonly commit: string;
    readonly file?: string;
    readonly field?: string;
    readonly why: string;
    readonly isOtherVersion?: true;
  }) => {
    const { file, field, why } = reason;
    const place = [file, ...(field === undefined ? [] : [`field ${field}`])].filter((each) => each !== undefined);
    const fault = cleanLine(place.length === 0 ? why : `${place.join(", ")}: ${why}`, 400);
    const message = `commit ${shorten(reason.commit)} of branch ${branch} cannot be read (${fault}): nothing moves`;
    // Undoing another build's commit would lose what it decided.
    if (reason.isOtherVersion === true) return { message, owner: "the installer of meshroll" };
    return { message, owner: pusher, command: "meshroll ledger check" };
  },
  LedgerSetBack: (reason: { readonly known: string; readonly found?: string; readonly isCountedBack?: true }) => {
    const { known, found } = reason;
    if (reason.isCountedBack === true) return wordCountedBack(found ?? "", known);
    const newest = shorten(known);
    const stands = found === undefined ? "is gone" : `is at ${shorten(found)} and does not contain ${newest}`;
    const had = found === undefined ? `its commit ${newest} was` : "which was";
    const lease = found === undefined ? "" : ` --force-with-lease=${branch}:${found}`;
    return {
      message: `branch ${branch} ${stands}, ${had} read before: nothing moves`,
      owner: pusher,
      command: `git fetch origin ${known} && git push${lease} origin ${known}:refs/heads/${branch}`,
    };
  },
  LedgerUnprotected: (reason: {
    readonly because: "open" | "unread" | "untold" | "unanswered";
    readonly allows: readonly string[];
  }) => {
    const allows = reason.allows.join(", ");
    const message = {
      open: `branch ${branch} allows ${allows}: nothing moves until its rules let only meshroll push (${guide})`,
      unread: `the rules of branch ${branch} that this token may read allow ${allows}: nothing moves (${guide})`,
      untold: `the SCM shows no rules of branch ${branch}: nothing moves until they let only meshroll push (${guide})`,
      unanswered: `the SCM has not said yet whether only meshroll may push to branch ${branch}: nothing moves before it does`,
    }[reason.because];
    return { message, owner: "the administrator of the rollouts repository", command: "meshroll doctor --only github" };
  },
  OtherInstallation: ({ commit, installation }: { readonly commit: string; readonly installation: string }) => ({
    message:
      `commit ${shorten(commit)} of branch ${branch} belongs to installation ${installation}, ` +
      "and this process serves another: nothing moves",
    owner: starter,
    command: `start every service with MESHROLL_INSTALLATION=${installation}`,
  }),
} satisfies Wordings;
