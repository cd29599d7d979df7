import { ok } from "node:assert/strict";
import { readFileSync } from "node:fs";

import { connect } from "@nats-io/transport-node";

import { type Fault, inTheMiddle, type PassTools } from "../passes/fault.ts";

const messages = 50_000;
/** A subject of each kind that the services subscribe to. */
const subjects = [
  "meshroll.v1.hint.v1.github",
  "meshroll.v1.batch.v1.ended",
  "meshroll.v1.nothing.v1.known",
  "meshroll.v1.workload.v1.moved",
] as const;
const megabyte = "x".repeat((1 << 20) - 1024);
/** How much a process may grow during a flood, bytes. */
const mostGrowth = 96 << 20;

/** Anonymous memory of a process (not file-backed), bytes. */
function readMemory(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib) * 1024;
}

/** Publishes far more messages than are ever useful, some as large as the server accepts, as fast as it accepts them. */
async function flood({ lane, fleet }: PassTools): Promise<void> {
  const { host, username: user, password: pass } = new URL(lane.nats.url);
  const nc = await connect({ servers: host, user, pass, inboxPrefix: `_INBOX_${user}` });
  const services = ["planner", "executor"].map((name) => [name, fleet.services.get(name)?.pid ?? 0] as const);
  const before = new Map(services.map(([name, pid]) => [name, readMemory(pid)]));
  const most = new Map<string, number>();
  const note = (): void => {
    for (const [name, pid] of services) most.set(name, Math.max(most.get(name) ?? 0, readMemory(pid)));
  };
  try {
    for (let sent = 0; sent < messages; sent += 1) {
      nc.publish(subjects[sent % subjects.length] ?? subjects[0], sent % 5000 === 0 ? megabyte : `{"n":${sent}}`);
      if (sent % 1000 === 0) await nc.flush();
      if (sent % 1000 === 0) note();
    }
    await nc.flush();
    note();
  } finally {
    await nc.close();
  }
  for (const [name] of services) {
    const grown = (most.get(name) ?? 0) - (before.get(name) ?? 0);
    ok(grown <= mostGrowth, `the ${name} grew by ${Math.round(grown / (1 << 20))} MiB in a flood of the bus`);
  }
}

/** A client of NATS publishes more than a reader can process. */
export const busFloodFaults: readonly Fault[] = [
  {
    name: "bus-flood",
    shows: "50,000 messages at once, some of a megabyte: no process grows without bound, and the run goes on",
    play: inTheMiddle("withBad", flood),
  },
];
