import { redactSecrets } from "./redact-secrets.ts";

/** Control characters (ANSI colours among them), line ends, and marks that turn the direction of what follows. */
// oxlint-disable-next-line no-control-regex -- these are exactly what must not get through
const unprintable = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]+/g;

/**
 * What people or machines wrote (a subject, a reason, a name) as one line of at most `most` characters. No secret of this
 * process and no login of a URL gets through: a fault of git or Redis may quote one.
 */
export function cleanText(text: string, most = 300): string {
  const line = redactSecrets(text).replace(unprintable, " ").replace(/ {2,}/g, " ").trim();
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}
