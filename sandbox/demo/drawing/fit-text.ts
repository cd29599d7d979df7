/** Letters, digits, blocks and the few marks of ours: one column each. Others are wider, or steer the terminal. */
const strange = /[^\u0020-\u007E\u00A1-\u02FF\u2010-\u27BF]/gu;

/** The text in exactly so many columns: cut with an ellipsis, or filled with blanks at its end. */
export function fitLeft(text: string, columns: number): string {
  return cutText(text, columns).padEnd(columns);
}

/** As `fitLeft`, filled at its beginning: for figures. */
export function fitRight(text: string, columns: number): string {
  return cutText(text, columns).padStart(columns);
}

/** At most so many columns; what is cut off shows as an ellipsis, and what has no certain width as a question mark. */
export function cutText(text: string, columns: number): string {
  const plain = text.replaceAll(strange, "?");
  if (plain.length <= columns) return plain;
  return columns <= 0 ? "" : `${plain.slice(0, columns - 1)}…`;
}

/** `left … right`, the right one at the end of the line; the left one is cut first, and where both do not fit stays alone. */
export function spread(left: string, right: string, columns: number): string {
  const room = columns - right.length - 2;
  return room < 20 ? cutText(left, columns) : `${fitLeft(left, room)}  ${right}`;
}

/** Full and empty blocks; anything begun shows, and only all of it fills the bar. */
export function drawBar(done: number, total: number, columns: number): string {
  const share = total === 0 ? 0 : done / total;
  const rounded = Math.round(share * columns);
  const full = share <= 0 ? 0 : share >= 1 ? columns : Math.min(columns - 1, Math.max(1, rounded));
  return "█".repeat(full) + "░".repeat(columns - full);
}

/** The time of day of an ISO time, as the cluster's clock shows it: `14:03`. */
export function showTime(iso: string): string {
  return iso.slice(11, 16);
}
