import { readFileSync } from "node:fs";

import { secret } from "./secret.ts";

/** The text of a file that is a secret; from now on no log and no message of this process shows it. Throws what the disk says. */
export function readSecretFile(path: string): string {
  const text = readFileSync(path, "utf8");
  // An empty one, or a placeholder, is no secret: whoever uses it says what is wrong with it.
  const noted = secret().safeParse(text);
  return noted.success ? noted.data.reveal() : text;
}
