import { setTimeout as sleep } from "node:timers/promises";

import type { Bus } from "#libs/bus";
import { newestFormat } from "#libs/input";
import { fileURLToPath } from "node:url";

import type { Services } from "../../sandbox/demo/start-services.ts";

const thisBuild = fileURLToPath(new URL("../..", import.meta.url));
const services = ["notifier", "api", "executor", "planner"] as const;
type Service = (typeof services)[number];

/** One restart, real ms since the first: when the old process was told to end, when the new one worked, and the pause of the writes. */
export interface Restart {
  readonly service: Service;
  readonly atMs: number;
  /** Until the new one showed itself on the bus; of notifier and api, which write nothing there, until the old one had ended. */
  readonly backMs: number;
  /** The longest time without a write to a workload, from the old one's end to the first write after the new one worked. */
  readonly pauseMs: number;
}

export interface Rolling {
  readonly bus: Bus;
  readonly services: Services;
  /** Real times of the writes to workloads so far, ms, oldest first. */
  readonly writes: readonly number[];
}

/** What shows that the service of this build is at work; undefined = nothing does. */
async function isBack({ bus }: Rolling, service: Service): Promise<boolean> {
  const readKey = async (bucket: "control" | "inventory", key: string): Promise<{ readonly reads?: number }> => {
    const text = (await bus.bucket(bucket).get(key))?.value;
    return text === undefined ? {} : (JSON.parse(text) as { readonly reads?: number });
  };
  if (service === "planner") return (await readKey("control", "state")).reads === newestFormat;
  if (service === "executor") return (await readKey("inventory", "prod-use1-a._")).reads === newestFormat;
  return true;
}

async function until(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + 120_000;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`never: ${what}`);
    await sleep(50);
  }
}

/** The longest time without a write from the moment until the first write after the new process worked. */
function measurePause(writes: readonly number[], from: number, until: number): number {
  const before = writes.findLast((each) => each <= from) ?? from;
  const after = writes.find((each) => each > until) ?? performance.now();
  const all = [before, ...writes.filter((each) => each > from && each <= until), after];
  return Math.max(...all.slice(1).map((each, index) => each - (all[index] ?? each)));
}

/** Each service becomes one of this build, one after the other, with some writes in between. */
export async function rollUpgrade(rolling: Rolling): Promise<readonly Restart[]> {
  const { writes } = rolling;
  const restarts: Omit<Restart, "pauseMs">[] = [];
  const began = performance.now();
  for (const service of services) {
    const at = performance.now();
    const code = await rolling.services.terminate(service);
    if (code !== 0) throw new Error(`the ${service} ended with ${code}`);
    rolling.services.start(service, thisBuild);
    await until(`the ${service} of this build works`, async () => isBack(rolling, service));
    restarts.push({ service, atMs: at - began, backMs: performance.now() - at });
    const count = writes.length;
    await until("something moves again", () => writes.length > count);
  }
  return restarts.map((each) => ({
    ...each,
    pauseMs: measurePause(writes, began + each.atMs, began + each.atMs + each.backMs),
  }));
}
