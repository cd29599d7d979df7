import {
  readAnswer,
  readRequest,
  readBatchJob,
  readBrokenBatches,
  readClusterFacts,
  readControlState,
  readEvent,
  readInventoryKey,
  readNamespaceInventory,
  readNotifyFacts,
  readStatus,
  readNotifications,
} from "#libs/events";
import { readRecordedStop } from "#libs/plan";

import type { Caught } from "./fixture.ts";

type Reader = (caught: Caught) => unknown;

function readInventory({ key, text }: Caught): unknown {
  const { cluster = "", namespace } = readInventoryKey(key) ?? {};
  return namespace === undefined ? readClusterFacts(cluster, text) : readNamespaceInventory(namespace, text);
}

/** By the first words of a kind: what the processes read it with. */
const readers: readonly (readonly [prefix: string, read: Reader])[] = [
  ["event ", ({ text }) => readEvent(text)],
  ["ask ", ({ key, text }) => readRequest(key, text)],
  ["answer ", ({ text }) => readAnswer(text)],
  ["control state", ({ text }) => readControlState(text)],
  ["status fleet", ({ text }) => readStatus(text)],
  ["status notify", ({ text }) => readNotifyFacts(text)],
  ["status notifications", ({ text }) => readNotifications(text)],
  ["status broken batches", ({ text }) => readBrokenBatches(text)],
  ["namespace inventory", readInventory],
  ["cluster facts", readInventory],
  ["batch", ({ key, text }) => readBatchJob(JSON.parse(text), key)],
  ["recorded stop", ({ text }) => readRecordedStop(text)],
];

/** What this build makes of a text; undefined, or `ok: false` with the reason, where it does not read it. */
export function readRecord(kind: string, caught: Caught): unknown {
  const reader = readers.find(([prefix]) => kind.startsWith(prefix));
  if (reader === undefined) throw new Error(`no reader for a record of the kind ${kind}`);
  return reader[1](caught);
}
