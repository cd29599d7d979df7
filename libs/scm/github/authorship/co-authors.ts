import type { PullCommit } from "../../port/port.ts";

/** A trailer of git, as GitHub reads it. */
const trailer = /^co-authored-by:[^<\n]*<([^>\n]+)>[ \t]*$/gimu;
/** The address that GitHub gives an account which shows none; the number in front is the account's id. */
const accountAddress = /^(?:\d+\+)?([A-Za-z\d](?:[A-Za-z\d-]*[A-Za-z\d])?(?:\[bot\])?)@users\.noreply\.github\.com$/u;

/** Co-authors that a commit's message names: by login where the address tells it, else counted. */
export function readCoAuthors(message: string): Pick<PullCommit, "coAuthors" | "unknownCoAuthors"> {
  const addresses = [...message.matchAll(trailer)].map(([, address = ""]) => address.trim());
  const logins = addresses.map((address) => accountAddress.exec(address)?.[1]);
  const coAuthors = logins.filter((login) => login !== undefined);
  return { coAuthors, unknownCoAuthors: logins.length - coAuthors.length };
}
