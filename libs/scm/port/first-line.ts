/** Longer than any command; the rest is not read. */
const longestLine = 200;

/** The first line of a review's text, where a command may be; "" where there is none. */
export function readFirstLine(body: string): string {
  const [line = ""] = body.slice(0, longestLine).split(/[\r\n]/u);
  return line.trim();
}
