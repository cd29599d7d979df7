/** Failures of one reason within so long are one message, ms of the time people live in: the next one is news again. */
const slotMs = 10 * 60_000;

/** Names the stretch of time in which things of a kind are told in one message. */
export function nameSlot(iso: string, everyMs = slotMs): string {
  return String(Math.floor(Date.parse(iso) / everyMs));
}
