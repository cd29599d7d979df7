/**
 * Seeds of walks on which product, auditor or oracle were wrong once, the most instructive first. `npm test` plays only the
 * first ones, `npm run test:walks` all of them and then new ones.
 */
export const keptFlows: readonly number[] = [
  // An open rollback that moves forward, while the ledger takes no push and main already wants more.
  5000011, 910035, 1000090,
  // Taking a rollback back is a forward move; workloads that fail while they are rolled back.
  910016, 910017,
  // What main rolled back from is forward, although the ledger took no push since; a rollback that was lost before it was
  // recorded.
  5000658,
  5000745,
  // An undo whose last pods are not ready yet; one that comes to rest before the next reconcile; the delay between batches.
  689005842,
  5000749, 8800047,
  // An owner's revert while the workload rolls; an owner's deploy in a namespace that was just relabelled.
  5000935, 5000610, 8100120,
  // `rollback --now` to a revision where an earlier run failed, after main already wanted that revision.
  8100158,
  // Workloads that come to rest late, an unhealthy workload that no bake waits for, a place of the batch that was given up.
  1000097,
  1000109, 5000003, 5000180, 5000451,
  // A rollback of a run that a forced push touches; a later run's workloads that a `rollback --now` leaves where they are.
  1000007,
  7007,
];

/** How many walks of each kind `npm test` plays. */
export const playedFirst = { flows: 1, campaigns: 1 } as const;

export const keptCampaigns: readonly number[] = [
  // A run of two campaigns: rolled back, taken further back by the rollback of the previous run, and lowered to a share that
  // main never had.
  6000371,
  8900008, 840104171,
  // One commit raises one bucket and rolls another one back: its rollback held itself.
  77220109,
  // A workload skipped in a cluster that came back after its stage had ended: no end of a run names it.
  77220034,
  // What still rolls in a cluster that main excludes meanwhile does not count for a bake: a false alarm of the auditor.
  77220133,
  // A wave opened although a cluster was not seen, because nothing was left in the others.
  77330083,
  // A rollback exceeded its batch size while main wanted another revision for what it had just rolled back.
  77340056,
  // An exclusion that ends while a run bakes.
  3000001,
  // A cluster that joins late; one that main excludes and takes back in after its runs are over.
  910007, 920007, 6000066, 6000091, 6000217,
  // A rollback requested while main was rewritten, of a run that no longer exists by then.
  6000268,
  // An error in the campaign's file: a contradiction, and an unknown key (ADR 29).
  7000004, 7000005,
  // A forced push brings a contradicting file back.
  8500118,
  // An open wave stays open when main takes a cluster back in that it had excluded.
  8500342,
  // A failed workload of the previous wave counts as ended once it is marked, however long its undo rolls.
  8700520,
  // A cluster that joined late moves workloads that no list names; a `rollback --now` undoes them while others of the run
  // stay.
  8700369,
  // A `rollback --now` undoes what a later run moved; a stage that was merged before a retry opened the previous run again.
  8700448,
  8700708,
  // Two planners that judge a head differently; a stage proposed under a rollback; a rollback whose commit a forced push
  // removed.
  6000443,
  6000439, 6000437,
  // A campaign that is deleted and merged again within one reconcile; a stage of excluded workloads only.
  6000001, 6000024, 6000008,
  // A rollback of an ended run that also takes back a later one; excluded workloads in a cluster that joined late; seven
  // runs that bake.
  6000380,
  6000296,
];
