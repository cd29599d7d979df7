import { isPrivate } from "#libs/input";

import { GitRefused } from "./errors.ts";

/** Where the rollouts repository is, checked: safe on a command line and in a message. */
export interface Address {
  /** Never holds a secret: argv is readable by every user of the machine. */
  readonly url: string;
  /** `https://host/` for http(s): the only place that a token may be sent to. */
  readonly origin?: string;
  /** Whether one is sent there: everyone on the way reads plain http. */
  readonly takesToken: boolean;
}

const fix = "use file:///path, https://host/owner/repo.git, ssh://git@host/owner/repo.git or git@host:owner/repo.git";
const passAsToken = "give the address alone, and the token as MESHROLL_GIT_TOKEN";
const scpLike = /^[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:(?!:)[^\s:][^\s]*$/;
const schemes: readonly string[] = ["file:", "http:", "https:", "ssh:"];
/** A login name at an SSH host is no secret, and `git` nearly everywhere. A token of an SCM is longer, or has a prefix with `_`. */
const sshUser = /^[a-z][a-z0-9.-]{0,31}$/i;

/**
 * `https://TOKEN@host/` carries a secret without a password: what stands before the `@` would be in argv, in errors and in logs.
 * SSH needs a login name there.
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
  // `ext::sh -c …` and other remote helpers run commands; only what git itself speaks is let through.
  if (url === null || !schemes.includes(url.protocol) || !text.startsWith(`${url.protocol}//`)) {
    throw new GitRefused("the address of the rollouts repository is of no kind that meshroll speaks", fix, {
      refusal: "addressKind",
    });
  }
  requireNoSecret(text, url);
  // A token in the query or behind a `#` would be shown as one before the host would.
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

/** Checks the address that a person configured. Throws `GitRefused` for anything but file, http, https and ssh. */
export function parseAddress(text: string): Address {
  // A folder's name may hold blanks: it is one argument of git, and never read by a shell.
  if (/^\/(?!\/)[^\p{Cc}\p{Zl}\p{Zp}]*$/u.test(text)) return { url: text, takesToken: false };
  if (scpLike.test(text) && sshUser.test(text.slice(0, text.indexOf("@")))) return { url: text, takesToken: false };
  return parseUrl(text);
}
