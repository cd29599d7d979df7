import type { FailedMark, Previous, RunMark } from "./marks.ts";

/** `<run> <revision>[ UnhealthyBefore][ #n]`: what `parseMarks` reads back. */
export function renderRunMark(mark: RunMark): string {
  const unhealthy = mark.unhealthyBefore ? " UnhealthyBefore" : "";
  const attempt = mark.attempt > 1 ? ` #${mark.attempt}` : "";
  return `${mark.run} ${mark.target}${unhealthy}${attempt}`;
}

/** `<revision> <Reason> <time>`: what `parseMarks` reads back. */
export function renderFailedMark(mark: FailedMark): string {
  return `${mark.revision} ${mark.reason} ${mark.at}`;
}

/** JSON of exactly the fields that changed, without empty groups. */
export function renderPrevious(previous: Previous): string {
  return JSON.stringify(previous);
}
