export { nameAnswerKey, printAnswer, readAnswer } from "./status/answer.ts";
export type { VerbAnswer } from "./status/answer.ts";
export { makeBatchJob, readBatchJob } from "./commands/batch-job.ts";
export type { BatchJob, ReadJob } from "./commands/batch-job.ts";
export { anyEvent, identifyEvent, isOfItsSubject, makeEvent, nameSubject, readEvent } from "./catalogue.ts";
export type { Event, EventData, EventName } from "./catalogue.ts";
export { nameRequestKey, printRequest, printControlState, readRequest, readControlState } from "./commands/control.ts";
export type { ControlState, ReadRequest } from "./commands/control.ts";
export {
  commitId,
  installationId,
  instant,
  labelName,
  line,
  runId,
  stopId,
  stopScope,
  word,
  findOtherVersion,
} from "./forms.ts";
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
} from "./inventory/inventory.ts";
export { createInventoryFold } from "./inventory/inventory-fold.ts";
export type { FoldedCluster, InventoryFold } from "./inventory/inventory-fold.ts";
export { printStatus, readStatus } from "./status/status.ts";
export { printNotifyFacts, readNotifyFacts } from "./status/notify-facts.ts";
export type { NotifyFacts } from "./status/notify-facts.ts";
export { printNotifications, readNotifications, type Notifications } from "./status/notifications.ts";
export { NamespaceFold, namespaceKeys, printNamespaceParts, type StampedTable } from "./status/namespace-parts.ts";
export { filterHistory, type History, type HistoryFilter, type LedgerLog } from "./history/filter-history.ts";
export {
  findFirst,
  historyHeadKey,
  HistoryFold,
  historyKeys,
  type LedgerEnd,
  linesInChunk,
  listChunks,
  mostChunks,
  printChunk,
  printHistoryHead,
  type StampedLog,
} from "./history/history-parts.ts";
export { type LedgerLine, readTransition } from "./history/transition-line.ts";
export {
  namePictureKey,
  type Picture,
  pictureIndexKey,
  pictureKeys,
  printPicture,
  printPictureIndex,
  readPicture,
  readPictureIndex,
} from "./status/picture.ts";
export { nameRunKey, printRunReport, readRunKey, readRunReport, runKeys } from "./status/run-report.ts";
export {
  hasVmKey,
  isVmName,
  nameGroupKey,
  nameVmKey,
  nameVmKeys,
  printVmReport,
  printVmTag,
  readVmKey,
  readVmReport,
  readVmReporter,
  readVmTag,
  type VmTag,
} from "./vms/vm-values.ts";
export { mostVmRows, printVmGroup, readGroupKey, readVmGroup, type VmGroupRows, type VmRow } from "./vms/vm-group.ts";
