import type { Address } from "../address.ts";
import { isAbsent } from "./classify.ts";
import { GitRefused } from "../errors.ts";
import { liesInFirstParents } from "./history.ts";
import type { Heads } from "../port.ts";
import type { RunGit } from "../process/run-git.ts";

/** A clone, and the remote branches that it follows, as full refs. */
export interface FollowedClone {
  readonly git: RunGit;
  readonly address: Address;
  readonly mainRef: string;
  readonly ledgerRef: string;
}

const local = "refs/meshroll/heads";
/** The ledger commit that this clone pushed last: a concurrent fetch never moves it back. */
const pushed = "refs/meshroll/pushed/ledger";

async function readLocal(git: RunGit): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const line of (await git(["for-each-ref", "--format=%(refname) %(objectname)", local, pushed])).split("\n")) {
    const [ref = "", sha = ""] = line.split(" ");
    found.set(ref, sha);
  }
  return found;
}

/**
 * Fetches both branches together and returns their heads; a deleted branch is forgotten. `isPushed`: a push of ours began or
 * ended meanwhile, so that the ledger may be newer than the fetch.
 */
export async function fetchHeads(
  { git, address, mainRef, ledgerRef }: FollowedClone,
  isPushed: () => boolean,
  signal?: AbortSignal,
): Promise<Heads> {
  const call = signal === undefined ? {} : { signal };
  const flags = ["--atomic", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--verbose"];
  const fetchRefs = async (...refs: readonly string[]) => git(["fetch", ...flags, "--", address.url, ...refs], call);
  const main = `+${mainRef}:${local}/main`;
  try {
    // Both by full names: a pattern would also fetch branches such as meshroll/ledger-something.
    await fetchRefs(main, `+${ledgerRef}:${local}/ledger`);
  } catch (error) {
    // Before `meshroll init` there is no ledger, and git refuses the whole fetch.
    if (!isAbsent(error, ledgerRef)) throw error;
    await fetchRefs(main);
    await git(["update-ref", "-d", `${local}/ledger`]);
  }
  const found = await readLocal(git);
  if (found.has(pushed) && !isPushed()) await git(["update-ref", "-d", pushed]);
  const head = found.get(`${local}/main`);
  if (head === undefined)
    throw new GitRefused(`${address.url} has no ${mainRef}`, "put the branch back", { refusal: "noBranch" });
  const ledger = found.get(`${local}/ledger`);
  return ledger === undefined ? { main: head } : { main: head, ledger };
}

/** Remembers a push to the ledger branch for the next process, which may start without a server. */
export async function rememberPush({ git, ledgerRef }: FollowedClone, ref: string, sha: string): Promise<void> {
  if (ref === ledgerRef) await git(["update-ref", pushed, sha]);
}

/** The heads that this clone has without asking a server; undefined for one that never fetched. */
export async function recallHeads({ git }: Pick<FollowedClone, "git">): Promise<Heads | undefined> {
  const found = await readLocal(git);
  const main = found.get(`${local}/main`);
  if (main === undefined) return undefined;
  const [ledger, own] = [found.get(`${local}/ledger`), found.get(pushed)];
  if (ledger === undefined) return { main };
  const isNewer = own !== undefined && (await liesInFirstParents(git, own, ledger));
  return { main, ledger: isNewer ? own : ledger };
}
