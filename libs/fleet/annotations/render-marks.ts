import type { FailureAnnotation, Previous, RunAnnotation } from "./marks.ts";

/** `<run> <revision>[ UnhealthyBefore][ #n]`: what `parseAnnotations` reads back. */
export function renderRunAnnotation(mark: RunAnnotation): string {
  const unhealthy = mark.unhealthyBefore ? " UnhealthyBefore" : "";
  const attempt = mark.attempt > 1 ? ` #${mark.attempt}` : "";
  return `${mark.run} ${mark.target}${unhealthy}${attempt}`;
}

/** `<revision> <Reason> <time>`: what `parseAnnotations` reads back. */
export function renderFailureAnnotation(mark: FailureAnnotation): string {
  return `${mark.revision} ${mark.reason} ${mark.at}`;
}

/** JSON of exactly the fields that changed, without empty groups. */
export function renderPrevious(previous: Previous): string {
  return JSON.stringify(previous);
}
