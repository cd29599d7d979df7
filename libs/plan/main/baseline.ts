import { printText, renderTransition } from "#libs/wording";

import { type LedgerEntry, printTime } from "../records/index.ts";

/** The ledger's first record: later commits are runs, and what differs from the file now is drift (rules 1.2). */
export function makeBaseline(commit: string, now: number, by: string, installation: string): LedgerEntry {
  const at = printTime(now);
  const next = {
    head: "",
    sequence: 1,
    baseline: { commit, at, by, installation },
    main: commit,
    judged: commit,
    runs: {},
    stops: {},
    requests: {},
    plans: {},
  };
  return {
    sentence: printText(renderTransition({ code: "BaselineRecorded", commit, by }).message),
    actor: by,
    cause: "init",
    at,
    next,
  };
}
