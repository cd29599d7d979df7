const width = 20;

/** `████████░░░░░░░░░░░░`: full only when all is done, never empty once something is. */
export function drawBar(done: number, total: number): string {
  if (total <= 0) return "░".repeat(width);
  const share = Math.floor((width * done) / total);
  const filled = done <= 0 ? 0 : Math.min(width, Math.max(1, share));
  return "█".repeat(filled) + "░".repeat(width - filled);
}
