const nameForm = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** True for texts that can be a label value, as names of revisions and tags are (at most 63 characters). */
export function isRevisionName(text: string): boolean {
  return nameForm.test(text);
}

/** The revision that a template was restarted for, and the number of the try. */
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
 * The value that changes a template where no label changes. It names the revision and never the commit or the time, so that any
 * later reconcile writes the same template and restarts nothing.
 */
export function renderRestartedFor(revision: string, attempt: number): string {
  return attempt > 1 ? `${revision}#${attempt}` : revision;
}
