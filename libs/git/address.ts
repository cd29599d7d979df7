import { GitRefused } from "./errors.ts";

/** Where the rollouts repository is, checked: safe on a command line and in a message. */
export interface Address {
  /** Never holds a secret: argv is readable by everybody on the machine. */
  readonly url: string;
  /** `https://host/` for http(s): the only place the token is sent to. */
  readonly origin?: string;
}

const mend = "use file:///path, https://host/owner/repo.git, ssh://git@host/owner/repo.git or git@host:owner/repo.git";
const scpLike = /^[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:(?!:)[^\s:][^\s]*$/;
const schemes: readonly string[] = ["file:", "http:", "https:", "ssh:"];

function parseUrl(text: string): Address {
  const url = URL.parse(text);
  // `ext::sh -c …` and other remote helpers run commands; only what git itself speaks is let through.
  if (url === null || !schemes.includes(url.protocol) || !text.startsWith(`${url.protocol}//`)) {
    throw new GitRefused("the address of the rollouts repository is of no kind that meshroll speaks", mend);
  }
  if (url.password !== "") {
    throw new GitRefused(
      `the address of the rollouts repository on ${url.host} holds a password`,
      "pass it as the token instead",
    );
  }
  return url.protocol.startsWith("http") ? { url: text, origin: `${url.origin}/` } : { url: text };
}

/** Checks the address that a person configured. Throws `GitRefused` for anything but file, http, https and ssh. */
export function parseAddress(text: string): Address {
  if (/^\/(?!\/)\S*$/.test(text)) return { url: text };
  if (scpLike.test(text) && !text.startsWith("-")) return { url: text };
  return parseUrl(text);
}
