import { apiServerFaults } from "./api-server.ts";
import { apartFaults } from "./apart/two-installations.ts";
import { brakeFaults } from "./brake.ts";
import { busFloodFaults } from "./bus/bus-flood.ts";
import { busPartitionFaults } from "./bus/bus-partition.ts";
import { crashLoopFaults } from "./crash-loops.ts";
import { diskFaults } from "./disk-full.ts";
import type { Fault } from "./fault.ts";
import { forgedJobFaults } from "./guarded/forged-job.ts";
import { heldBatchFaults } from "./guarded/held-batches.ts";
import { overtakenPatchFaults } from "./guarded/overtaken-patch.ts";
import { racingPlannerFaults } from "./guarded/racing-planners.ts";
import { gitFaults } from "./git.ts";
import { unreadableLedgerFaults } from "./ledger/unreadable-ledger.ts";
import { unsignedLedgerFaults } from "./ledger/unsigned-ledger.ts";
import { latePatchFaults } from "./late-patch.ts";
import { memoryFaults } from "./memory.ts";
import { messageFaults } from "./messages.ts";
import { upgradeFaults } from "./upgrade/upgrade.ts";
import { processFaults } from "./processes.ts";
import { storeFaults } from "./stores.ts";
import { tornStoreFaults } from "./stores/torn-store.ts";

/** Every fault that is played, in the order in which they are told. */
export const faults: readonly Fault[] = [
  ...processFaults,
  ...storeFaults,
  ...memoryFaults,
  ...latePatchFaults,
  ...messageFaults,
  ...apiServerFaults,
  ...gitFaults,
  ...unreadableLedgerFaults,
  ...unsignedLedgerFaults,
  ...brakeFaults,
  ...heldBatchFaults,
  ...overtakenPatchFaults,
  ...racingPlannerFaults,
  ...forgedJobFaults,
  ...crashLoopFaults,
  ...tornStoreFaults,
  ...busPartitionFaults,
  ...busFloodFaults,
  ...diskFaults,
  ...upgradeFaults,
  ...apartFaults,
];
