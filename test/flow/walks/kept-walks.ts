/**
 * Walks on which product, auditor or oracle were once wrong, the most instructive first: `npm test` plays only those, `npm run
 * test:walks` all of them before it draws new ones.
 */
export const keptFlows: readonly number[] = [
  // A forward move by an open rollback, while the ledger took no push and main wanted more already.
  5000011, 910035, 1000090,
  // Taking a rollback back is forward; what fails on its way back.
  910016, 910017,
  // What main rolled back from is forward, though the ledger took no push since; a rollback that was lost before its record.
  5000658,
  5000745,
  // An undo whose last pods are not ready yet, one that rests before the next reconcile, and the delay between batches.
  689005842, 5000749, 8800047,
  // What an owner reverts while it rolls; an owner's deploy in a namespace that was just turned.
  5000935, 5000610, 8100120,
  // A rollback at once to where an earlier run failed, after main wanted what stood there already.
  8100158,
  // Late rests, an unhealthy workload that no bake waits for, a place that was given up.
  1000097, 1000109, 5000003, 5000180, 5000451,
  // A rollback of a run that a forced push touches; a later run that a rollback at once keeps where it is.
  1000007, 7007,
];

/** So many of each kind does `npm test` play. */
export const playedFirst = { flows: 1, campaigns: 1 } as const;

export const keptCampaigns: readonly number[] = [
  // A run of two campaigns: rolled back, taken further back by the rollback of the run before it, and lowered to what main never had.
  6000371,
  8900008, 840104171,
  // One commit raises a bucket and takes a part of another one back: its rollback held itself.
  77220109,
  // Skipped in a cluster that came back after its stage was over: named by no end of a run.
  77220034,
  // What still rolls in a cluster that main excludes meanwhile is no part of a bake: a false alarm of the auditor.
  77220133,
  // A wave opened past a cluster that was not seen, because nothing was left in those that were.
  77330083,
  // A rollback went over its batch while main wanted elsewhere what it had just rolled back.
  77340056,
  // An exclusion that ends while a run bakes.
  3000001,
  // A cluster that joins late; one that main excludes, and takes in again when its runs are over.
  910007, 920007, 6000066, 6000091, 6000217,
  // A rollback asked while main was rewritten, of a run that is gone by then.
  6000268,
  // An error in the campaign's file: contradiction, and a key that is not known (ADR 29).
  7000004, 7000005,
  // A forced push brings a file back that contradicts.
  8500118,
  // A wave that is open stays open when main takes in again what it left out.
  8500342,
  // What failed in the wave before is over at its mark, however long its undo rolls.
  8700520,
  // A cluster that came late moves what no list names, and a rollback at once undoes that while others of the run stay.
  8700369,
  // A rollback at once undoes what a later run moved; a stage that was merged before a retry opened the run before it again.
  8700448,
  8700708,
  // Two planners that judge a head differently; a stage proposed under a rollback; a rollback that was forced away.
  6000443, 6000439, 6000437,
  // A campaign that goes and returns within a reconcile; a stage of excluded workloads only.
  6000001, 6000024, 6000008,
  // A rollback of a run that was over takes a later one back too; what is excluded where a cluster came late; seven runs that bake.
  6000380,
  6000296,
];
