const form = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?Z$/;

/** True for an ISO time, UTC, of the years 0 to 9999: one that every clock and every comparison of texts understands. */
export function isInstant(text: string): boolean {
  // oxlint-disable-next-line no-restricted-globals -- no clock is read: a calendar says whether there is such a day
  return form.test(text) && !Number.isNaN(Date.parse(text));
}

const recordId = /^[A-Za-z0-9_-]{1,80}$/;
const runId = /^[0-9a-f]{12}$/;
const commitId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const installationId = /^[a-z][a-z0-9]{11}$/;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** True for the id of a verb, of a stop or of anything else that the ledger keeps a file for: safe in a path and in a key. */
export function isRecordId(text: string): boolean {
  return recordId.test(text);
}

/** Ids of the stops that meshroll computes, from a cluster's ConfigMap or from main: no record and no verb may have one. */
const computedStop = /^(?:kubectl$|unread-|shared-)/;

/** True for the id of a verb or of a recorded stop. */
export function isStopId(text: string): boolean {
  return isRecordId(text) && !computedStop.test(text);
}

/** Words joined by `-`, the verb first. */
const requestId = /^(?!found-)[a-z]+(?:-[a-z0-9]+)+$/;

/** True for the id of a verb on its way, as the CLI and comments make it: no name of a stop that meshroll makes, and of no property. */
export function isRequestId(text: string): boolean {
  return isStopId(text) && requestId.test(text);
}

/** True for the short commit id that names a run. */
export function isRunId(text: string): boolean {
  return runId.test(text);
}

/** True for a whole commit id in small letters: nothing that git would take for an option or an expression. */
export function isCommitId(text: string): boolean {
  return commitId.test(text);
}

/** True for the id of an installation, which `meshroll init` makes: safe in a bucket's name, a subject and a key of Redis. */
export function isInstallationId(text: string): boolean {
  return installationId.test(text);
}

/** True for a DNS label: names of clusters (ours, never a kubeconfig context: rules 9.1), namespaces and campaigns. */
export function isLabelName(text: string): boolean {
  return label.test(text);
}
