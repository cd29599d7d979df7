import { apiServerFaults } from "./outside/api-server.ts";
import { apartFaults } from "./apart/two-installations.ts";
import { brakeFaults } from "./outside/brake.ts";
import { busFloodFaults } from "./bus/bus-flood.ts";
import { busPartitionFaults } from "./bus/bus-partition.ts";
import { crashLoopFaults } from "./processes/crash-loops.ts";
import { diskFaults } from "./outside/disk-full.ts";
import type { Fault } from "./passes/fault.ts";
import { forgedJobFaults } from "./guarded/forged-job.ts";
import { hostilePullFaults } from "./hostile/hostile-pulls.ts";
import { heldBatchFaults } from "./guarded/held-batches.ts";
import { overtakenPatchFaults } from "./guarded/overtaken-patch.ts";
import { racingPlannerFaults } from "./guarded/racing-planners.ts";
import { gitFaults } from "./outside/git.ts";
import { unreadableLedgerFaults } from "./ledger/unreadable-ledger.ts";
import { latePatchFaults } from "./guarded/late-patch.ts";
import { memoryFaults } from "./processes/memory.ts";
import { messageFaults } from "./bus/messages.ts";
import { processFaults } from "./processes/processes.ts";
import { storeFaults } from "./stores/stores.ts";
import { tornStoreFaults } from "./stores/torn-store.ts";

/** Every fault that is played, in the order in which they are reported. */
export const faults: readonly Fault[] = [
  ...processFaults,
  ...storeFaults,
  ...memoryFaults,
  ...latePatchFaults,
  ...messageFaults,
  ...apiServerFaults,
  ...gitFaults,
  ...unreadableLedgerFaults,
  ...brakeFaults,
  ...hostilePullFaults,
  ...heldBatchFaults,
  ...overtakenPatchFaults,
  ...racingPlannerFaults,
  ...forgedJobFaults,
  ...crashLoopFaults,
  ...tornStoreFaults,
  ...busPartitionFaults,
  ...busFloodFaults,
  ...diskFaults,
  ...apartFaults,
];
