/** Epoch ms as ISO text in UTC. Pure: a Date made from a number does not read the clock. */
export function printTime(epochMs: number): string {
  // oxlint-disable-next-line no-restricted-globals -- no clock is read
  return new Date(epochMs).toISOString();
}

/** Epoch ms of a valid ISO time. Pure: it does not read the clock. */
export function parseTime(iso: string): number {
  // oxlint-disable-next-line no-restricted-globals -- no clock is read
  return Date.parse(iso);
}
