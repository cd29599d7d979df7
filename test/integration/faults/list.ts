import { apiServerFaults } from "./outside/api-server.ts";
import { brakeFaults } from "./outside/brake.ts";
import { busFloodFaults } from "./bus/bus-flood.ts";
import { busPartitionFaults } from "./bus/bus-partition.ts";
import { diskFaults } from "./outside/disk-full.ts";
import type { Fault } from "./passes/fault.ts";
import { gitFaults } from "./outside/git.ts";
import { heldBatchFaults } from "./guarded/held-batches.ts";
import { processFaults } from "./processes/processes.ts";
import { storeFaults } from "./stores/stores.ts";

/** Every fault that is played, in the order of the report. */
export const faults: readonly Fault[] = [
  ...processFaults,
  ...storeFaults,
  ...apiServerFaults,
  ...gitFaults,
  ...brakeFaults,
  ...heldBatchFaults,
  ...busPartitionFaults,
  ...busFloodFaults,
  ...diskFaults,
];
