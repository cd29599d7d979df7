const form = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** True for what can stand in a label: names of revisions and tags (at most 63 characters). */
export function isRevisionName(text: string): boolean {
  return form.test(text);
}
