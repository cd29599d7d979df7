const nameForm = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** True for what can stand in a label: names of revisions and tags (at most 63 characters). */
export function isRevisionName(text: string): boolean {
  return nameForm.test(text);
}

/** For which revision a template was restarted, and which try it was. */
export interface RestartedFor {
  readonly revision: string;
  /** From 1; more than 1 only after a `retry`. */
  readonly attempt: number;
}

const form = /^(?<revision>[^#]+)(?:#(?<attempt>[1-9]\d{0,5}))?$/;

/** Reads the template's `meshroll.dev/restarted-for`; undefined when it is not one of ours. */
export function parseRestartedFor(text: string): RestartedFor | undefined {
  const { revision, attempt } = form.exec(text)?.groups ?? {};
  if (revision === undefined || !isRevisionName(revision)) return undefined;
  return { revision, attempt: Number(attempt ?? "1") };
}

/**
 * The token that makes a template another one where no label changes. It names the revision and never the commit or the
 * time, so that a replay under any later commit is the same template: at-least-once everywhere, one restart.
 */
export function renderRestartedFor(revision: string, attempt: number): string {
  return attempt > 1 ? `${revision}#${attempt}` : revision;
}
