/** With thousands separators. */
export function printNumber(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/gu, ",");
}

/** `41 min`, `3 h 23 min`, `2 d 4 h`: a rough duration for people. */
export function printAbout(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours < 48) return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
  const [days, left] = [Math.floor(hours / 24), hours % 24];
  return left === 0 ? `${days} d` : `${days} d ${left} h`;
}

/** A table of Markdown, its first column to the left and all others to the right; "" without rows. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = line(head.map((_, index) => (index === 0 ? "---" : "--:")));
  return [line(head), rule, ...rows.map(line)].join("\n");
}
