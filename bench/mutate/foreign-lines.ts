/** A line that `mutate` may write: its label, its annotations, and the maps around them where there were none. */
const ours =
  /^ *(?:istio\.io\/rev: "[\w-]+"|meshroll\.dev\/(?:mutated-at|spec-commit): "[^"]+"|annotations:|labels:|metadata:)$/;
/** The only lines that may go. */
const replaced = /^ *istio\.io\/rev: /;

/** Lines of the first text that the second has less often. */
function listMissing(from: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return from.filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  });
}

/** Whether the lines are among the others in the same order. */
function isInOrder(lines: readonly string[], others: readonly string[]): boolean {
  let at = 0;
  for (const line of others) if (line === lines[at]) at++;
  return at === lines.length;
}

/** Lines that went, came or moved and are none of `mutate`'s own. */
export function countForeignLines(before: string, after: string): number {
  const [was, is] = [before.split("\n"), after.split("\n")];
  const gone = listMissing(was, is).filter((line) => !replaced.test(line));
  const come = listMissing(is, was).filter((line) => !ours.test(line));
  if (gone.length + come.length > 0) return gone.length + come.length;
  return isInOrder(
    was.filter((line) => !replaced.test(line)),
    is,
  )
    ? 0
    : was.length;
}
