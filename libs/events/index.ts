export { nameAnswerKey, printAnswer, readAnswer } from "./answer.ts";
export type { VerbAnswer } from "./answer.ts";
export { makeBatchJob, readBatchJob } from "./batch-job.ts";
export type { BatchJob, ReadJob } from "./batch-job.ts";
export { nameBrokenKey, printBrokenBatches, readBrokenBatches, type BrokenBatchesKept } from "./broken-batches.ts";
export { isOfItsSubject, makeEvent, nameSubject, readEvent } from "./catalogue.ts";
export type { Event, EventData, EventName } from "./catalogue.ts";
export {
  chooseFormat,
  nameRequestKey,
  printRequest,
  printControlState,
  readRequest,
  readControlState,
  readHeard,
} from "./control.ts";
export type { ControlState, ReadRequest } from "./control.ts";
export { commitId, installationId, instant, labelName, line, recordId, runId, stopScope, word } from "./forms.ts";
export {
  inventoryLimitBytes,
  isClusterName,
  nameClusterKey,
  nameNamespaceKey,
  printClusterFacts,
  printNamespaceInventory,
  readClusterFacts,
  readInventoryKey,
  readNamespaceInventory,
} from "./inventory.ts";
export { createInventoryFold } from "./inventory-fold.ts";
export type { FoldedCluster, InventoryFold } from "./inventory-fold.ts";
export { findNewer } from "./newer-format.ts";
export { printStatus, readStatus } from "./status.ts";
export { printNotifyFacts, readNotifyFacts } from "./notify-facts.ts";
export type { NotifyFacts } from "./notify-facts.ts";
export { printNotifications, readNotifications, type Notifications } from "./tellings.ts";
