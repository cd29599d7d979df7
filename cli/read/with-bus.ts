import type { Bus } from "#libs/bus";

import { exitCodes } from "../terminal/exit-codes.ts";
import { type BusPlace, chooseInstallation, nameBusPlace } from "./find-installation.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What says which bus a command means, and whose part of it. */
export interface BusOptions {
  readonly nats?: string;
  readonly installation?: string;
}

/** The bus cannot be used now: told like any refusal, and some verbs have another way. */
export class BusDown extends Refusal {
  constructor(why: string) {
    super(exitCodes.unavailable, why, "is it running? is MESHROLL_NATS_URL right?");
    this.name = "BusDown";
  }
}

/** The address of a bus: the way to one inside of a cluster is opened first. */
export async function findAddress({ url, reach, explain }: BusPlace): Promise<string> {
  const address = reach === undefined ? url : await reach();
  explain?.(() => `asks NATS at ${nameBusPlace(address)}`);
  return address;
}

/** Opens the bus for one command; everything that the bus itself refuses is a `BusDown`. */
export async function withBus<T>(place: BusPlace, use: (bus: Bus) => Promise<T>): Promise<T> {
  const { BusRefused, BusUnavailable, openBus } = await import("#libs/bus");
  let bus: Bus | undefined;
  try {
    const url = await findAddress(place);
    bus = await openBus({ url, installation: await chooseInstallation({ ...place, url }), name: "meshroll-cli" });
    return await use(bus);
  } catch (error) {
    if (error instanceof BusUnavailable || error instanceof BusRefused) throw new BusDown(error.message);
    throw error;
  } finally {
    await bus?.close();
  }
}

/** The bus a command means, when it means one: a flag beats a variable, and that a context. */
export function findBus(options: BusOptions, { env, reachBus, explain }: Terminal): BusPlace | undefined {
  const named = options.nats ?? env["MESHROLL_NATS_URL"];
  const installation = options.installation ?? env["MESHROLL_INSTALLATION"] ?? "";
  const more = { ...(installation === "" ? {} : { installation }), ...(explain === undefined ? {} : { explain }) };
  if (named !== undefined) return { url: named, ...more };
  return reachBus === undefined ? undefined : { url: "the service of the context", reach: reachBus, ...more };
}

/** Nothing says where anything of ours is: the same words and the same code for every command. */
export function refuseNowhere(otherwise = ""): Refusal {
  return new Refusal(
    exitCodes.environment,
    "NATS is not configured",
    `give --nats URL (MESHROLL_NATS_URL)${otherwise}`,
  );
}

/** The bus that a verb means; without one there is no planner to reach. */
export function requireBus(options: BusOptions, terminal: Terminal): BusPlace {
  const place = findBus(options, terminal);
  if (place !== undefined) return place;
  throw refuseNowhere();
}
