/** Epoch ms as ISO text, UTC. Pure: a Date made from a number is only a calendar; reading the clock stays forbidden here. */
export function printTime(epochMs: number): string {
  // oxlint-disable-next-line no-restricted-globals -- no clock is read
  return new Date(epochMs).toISOString();
}

/** Epoch ms of an ISO time that a parser accepted. Pure: a calendar, not a clock. */
export function parseTime(iso: string): number {
  // oxlint-disable-next-line no-restricted-globals -- no clock is read
  return Date.parse(iso);
}
