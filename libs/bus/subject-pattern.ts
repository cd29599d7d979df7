/** NATS' wildcards: `*` is one token, `>` is all that follow. */
export function matchesPattern(pattern: string, subject: string): boolean {
  const wanted = pattern.split(".");
  const tokens = subject.split(".");
  for (const [index, each] of wanted.entries()) {
    if (each === ">") return tokens.length > index;
    if (tokens[index] === undefined || (each !== "*" && each !== tokens[index])) return false;
  }
  return wanted.length === tokens.length;
}
