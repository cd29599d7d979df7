/** Matches all but characters that certainly take one column: others can be wider, or control the terminal. */
const strange = /[^\u0020-\u007E\u00A1-\u02FF\u2010-\u27BF]/gu;

/** The text in exactly so many columns: cut with an ellipsis, or padded at its end. */
export function fitLeft(text: string, columns: number): string {
  return cutText(text, columns).padEnd(columns);
}

/** As `fitLeft`, padded at the start: for numbers. */
export function fitRight(text: string, columns: number): string {
  return cutText(text, columns).padStart(columns);
}

/** At most so many columns: what is cut off becomes an ellipsis, and characters of unknown width become question marks. */
export function cutText(text: string, columns: number): string {
  const plain = text.replaceAll(strange, "?");
  if (plain.length <= columns) return plain;
  return columns <= 0 ? "" : `${plain.slice(0, columns - 1)}…`;
}

/**
 * `left … right` with `right` at the end of the line. `left` is cut first; with less than 20 columns for it, `right` is
 * omitted.
 */
export function spread(left: string, right: string, columns: number): string {
  const room = columns - right.length - 2;
  return room < 20 ? cutText(left, columns) : `${fitLeft(left, room)}  ${right}`;
}

/** A bar of full and empty blocks: above 0 at least one is full, and all are full only at 100 %. */
export function drawBar(done: number, total: number, columns: number): string {
  const share = total === 0 ? 0 : done / total;
  const rounded = Math.round(share * columns);
  const full = share <= 0 ? 0 : share >= 1 ? columns : Math.min(columns - 1, Math.max(1, rounded));
  return "█".repeat(full) + "░".repeat(columns - full);
}

/** Hours and minutes of an ISO time in UTC: `14:03`. */
export function showTime(iso: string): string {
  return iso.slice(11, 16);
}
