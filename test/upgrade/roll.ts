import { setTimeout as sleep } from "node:timers/promises";

import type { Bus } from "#libs/bus";
import { newestFormat } from "#libs/input";
import type { FleetStatus } from "#libs/plan";
import { fileURLToPath } from "node:url";

import type { Services } from "../../sandbox/demo/world/start-services.ts";
import type { Moment, Service, SoFar, Step } from "./moments.ts";

const thisBuild = fileURLToPath(new URL("../..", import.meta.url));

/** One restart; real ms. */
export interface Restart extends Step {
  readonly moment: string;
  /** Since the first one. */
  readonly atMs: number;
  /** Until the new one showed itself on the bus; of notifier and api, which write nothing there, until the old one had ended. */
  readonly backMs: number;
  /**
   * The longest time without a sign of work, from the last one before the old one's end to the first one after the new one worked; absent
   * for notifier and api, which no work needs.
   */
  readonly pauseMs?: number;
}

export interface Rolling {
  readonly bus: Bus;
  readonly services: Services;
  /** Real times of writes to workloads and of pushes so far, ms, oldest first. */
  readonly signs: readonly number[];
  readonly soFar: () => SoFar;
  readonly log: (line: string) => void;
}

async function readJson<T>(bus: Bus, bucket: "control" | "inventory" | "status", key: string): Promise<T | undefined> {
  const text = (await bus.bucket(bucket).get(key))?.value;
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** What it writes tells the newest version that it reads; a build of the version before says nothing of that. */
async function isBack({ bus }: Rolling, { service, to }: Step): Promise<boolean> {
  const isThis = to === "this build";
  type Reading = { readonly reads?: number };
  const isWritten = async (bucket: "control" | "inventory", key: string): Promise<boolean> => {
    const written = await readJson<Reading>(bus, bucket, key);
    return written !== undefined && (written.reads === newestFormat) === isThis;
  };
  if (service === "planner") return isWritten("control", "state");
  return service === "executor" ? isWritten("inventory", "prod-use1-a._") : true;
}

async function until(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + 180_000;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`never: ${what}`);
    await sleep(25);
  }
}

/** The longest time without a sign from the moment until the first sign after the new process worked. */
function measurePause(signs: readonly number[], from: number, until: number): number {
  const before = signs.findLast((each) => each <= from) ?? from;
  const after = signs.find((each) => each > until) ?? performance.now();
  const all = [before, ...signs.filter((each) => each > from && each <= until), after];
  return Math.max(...all.slice(1).map((each, index) => each - (all[index] ?? each)));
}

const isAtWork = (service: Service): boolean => service === "planner" || service === "executor";

/** One process ends and is one of another build; answers when that was. */
async function carryOut(rolling: Rolling, step: Step): Promise<Omit<Restart, "moment">> {
  const { services, signs } = rolling;
  const { service, to } = step;
  const at = performance.now();
  const code = await services.terminate(service);
  if (code !== 0) throw new Error(`the ${service} ended with ${code}`);
  services.start(service, to === "this build" ? thisBuild : undefined);
  await until(`the ${service} of ${to} works`, async () => isBack(rolling, step));
  const restart = { ...step, atMs: at, backMs: performance.now() - at };
  if (!isAtWork(service)) return restart;
  const count = signs.length;
  await until("something goes on", () => signs.length > count);
  return { ...restart, pauseMs: measurePause(signs, at, at + restart.backMs) };
}

/** At each moment some processes become ones of another build, one after the other, with a sign of work in between. */
export async function rollUpgrade(rolling: Rolling, moments: readonly Moment[]): Promise<readonly Restart[]> {
  const { bus, log } = rolling;
  const restarts: Restart[] = [];
  for (const { name, isNow, steps } of moments) {
    await until(`${name}: the status tells it`, async () => {
      const status = await readJson<FleetStatus>(bus, "status", "fleet");
      return status !== undefined && isNow(status, rolling.soFar());
    });
    for (const step of steps) {
      log(`${name}: the ${step.service} becomes ${step.to}`);
      restarts.push({ moment: name, ...(await carryOut(rolling, step)) });
    }
  }
  const began = restarts[0]?.atMs ?? 0;
  return restarts.map((each) => ({ ...each, atMs: each.atMs - began }));
}
