import { cleanLine } from "#libs/input";

import { shorten, type Wordings } from "./wording.ts";

const branch = "meshroll/ledger";
const pusher = "the pusher of meshroll/ledger";
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
    // To undo what another build wrote would forget what it decided.
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
  LedgerUnsigned: ({
    commit,
    author,
    why,
  }: {
    readonly commit: string;
    readonly author: string;
    readonly why: string;
  }) => ({
    message:
      `commit ${shorten(commit)} of branch ${branch} by "${cleanLine(author, 100)}" is not signed by a key in ledger.signers ` +
      `of meshroll.yml (${cleanLine(why, 200)}): nothing moves`,
    owner: pusher,
    command: "meshroll ledger check",
  }),
  LedgerKeyMissing: ({ key }: { readonly key?: { readonly fingerprint: string; readonly publicKey: string } }) => {
    const wants = "ledger.signers of meshroll.yml names the keys that may write the ledger";
    if (key === undefined) {
      const message = `${wants}, and this planner has no key: it can record nothing, and nothing moves`;
      return { message, owner: starter, command: "start the planner with MESHROLL_LEDGER_KEY_FILE=FILE" };
    }
    return {
      message: `${wants}, and this planner's key ${key.fingerprint} is none of them: it can record nothing, and nothing moves`,
      owner: starter,
      command: `start the planner with the key of one of them, or merge into ledger.signers: ${key.publicKey}`,
    };
  },
  OtherInstallation: ({ commit, installation }: { readonly commit: string; readonly installation: string }) => ({
    message:
      `commit ${shorten(commit)} of branch ${branch} speaks for installation ${installation}, ` +
      "and this process serves another: nothing moves",
    owner: starter,
    command: `start every service with MESHROLL_INSTALLATION=${installation}`,
  }),
} satisfies Wordings;
