import { cleanLine } from "#libs/input";

import { redactSecrets } from "./redact-secrets.ts";

/**
 * What people or machines wrote (a subject, a reason, a name) as one line of at most `most` characters. No secret of this
 * process and no login of a URL gets through: a fault of git or Redis may quote one.
 */
export function cleanText(text: string, most = 300): string {
  return cleanLine(redactSecrets(text), most);
}
