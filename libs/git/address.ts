import { isPrivate } from "#libs/input";

import { GitRefused } from "./errors.ts";

/** The checked address of the rollouts repository, safe on a command line and in a message. */
export interface Address {
  /** Without a secret, because every user of the machine can read command lines. */
  readonly url: string;
  /** `https://host/` for http(s): the only place that a token may be sent to. */
  readonly origin?: string;
  /** Whether a token is sent there; never over plain http. */
  readonly takesToken: boolean;
}

const fix = "use file:///path, https://host/owner/repo.git, ssh://git@host/owner/repo.git or git@host:owner/repo.git";
const passAsToken = "give the address alone, and the token as MESHROLL_GIT_TOKEN";
const scpLike = /^[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:(?!:)[^\s:][^\s]*$/;
const schemes: readonly string[] = ["file:", "http:", "https:", "ssh:"];
/** A login name at an SSH host, often `git`, is not a secret. Tokens are longer, or have a prefix with `_`. */
const sshUser = /^[a-z][a-z0-9.-]{0,31}$/i;

/**
 * In `https://TOKEN@host/` the user is a secret, which would appear in command lines, errors and logs. SSH needs a user there.
 */
function requireNoSecret(text: string, url: URL): void {
  const before = /^[a-z]+:\/\/([^/?#]*)@/i.exec(text)?.[1] ?? "";
  if (before === "" && url.username === "" && url.password === "") return;
  if (url.protocol === "ssh:" && sshUser.test(before)) return;
  const advice = url.protocol === "ssh:" ? "give a login name alone, as in ssh://git@host/owner/repo.git" : passAsToken;
  throw new GitRefused(
    `the address of the rollouts repository on ${url.host} has a user or password before its host`,
    advice,
  );
}

function parseUrl(text: string): Address {
  const url = URL.parse(text);
  // `ext::sh -c …` and other remote helpers run commands: only git's own protocols are accepted.
  if (url === null || !schemes.includes(url.protocol) || !text.startsWith(`${url.protocol}//`)) {
    throw new GitRefused("the address of the rollouts repository is of no kind that meshroll speaks", fix, {
      refusal: "addressKind",
    });
  }
  requireNoSecret(text, url);
  // A token in the query or fragment would be shown in messages.
  if (url.search !== "" || url.hash !== "") {
    throw new GitRefused(
      `the address of the rollouts repository on ${url.host} has a query or a fragment`,
      passAsToken,
    );
  }
  const takesToken = isPrivate(url);
  return url.protocol.startsWith("http")
    ? { url: text, origin: `${url.origin}/`, takesToken }
    : { url: text, takesToken };
}

/** Checks a configured address. Throws `GitRefused` for anything but file, http, https and ssh. */
export function parseAddress(text: string): Address {
  // A folder's name may contain blanks: it is one argument of git, and no shell reads it.
  if (/^\/(?!\/)[^\p{Cc}\p{Zl}\p{Zp}]*$/u.test(text)) return { url: text, takesToken: false };
  if (scpLike.test(text) && sshUser.test(text.slice(0, text.indexOf("@")))) return { url: text, takesToken: false };
  return parseUrl(text);
}
