const form = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?Z$/;

/** True for an ISO time, UTC, of the years 0 to 9999: one that every clock and every comparison of texts understands. */
export function isInstant(text: string): boolean {
  // oxlint-disable-next-line no-restricted-globals -- no clock is read: a calendar says whether there is such a day
  return form.test(text) && !Number.isNaN(Date.parse(text));
}
