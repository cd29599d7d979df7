import type { Bus } from "#libs/bus";

import { exitCodes } from "../terminal/exit-codes.ts";
import { type BusPlace, chooseInstallation, nameBusPlace } from "./find-installation.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Options that name the bus and the installation. */
export interface BusOptions {
  readonly nats?: string;
  readonly installation?: string;
}

/** The bus cannot be used now; some verbs have another way. */
export class BusDown extends Refusal {
  constructor(why: string) {
    super(exitCodes.unavailable, why, "is it running? is MESHROLL_NATS_URL right?");
    this.name = "BusDown";
  }
}

/** The bus's address; for one inside of a cluster a port forward is opened first. */
export async function findAddress({ url, reach, explain }: BusPlace): Promise<string> {
  const address = reach === undefined ? url : await reach();
  explain?.(() => `asks NATS at ${nameBusPlace(address)}`);
  return address;
}

/** Opens the bus for one command; its refusals become `BusDown`. */
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

/** The bus of a command, if one is named: by flag, variable, or context, in this order. */
export function findBus(options: BusOptions, { env, reachBus, explain }: Terminal): BusPlace | undefined {
  const named = options.nats ?? env["MESHROLL_NATS_URL"];
  const installation = options.installation ?? env["MESHROLL_INSTALLATION"] ?? "";
  const more = { ...(installation === "" ? {} : { installation }), ...(explain === undefined ? {} : { explain }) };
  if (named !== undefined) return { url: named, ...more };
  return reachBus === undefined ? undefined : { url: "the service of the context", reach: reachBus, ...more };
}

/** The refusal for a command without any source, alike in every command. */
export function refuseNowhere(otherwise = ""): Refusal {
  return new Refusal(
    exitCodes.environment,
    "NATS is not configured",
    `give --nats URL (MESHROLL_NATS_URL)${otherwise}`,
  );
}

/** The bus of a verb, which needs one to reach the planner. */
export function requireBus(options: BusOptions, terminal: Terminal): BusPlace {
  const place = findBus(options, terminal);
  if (place !== undefined) return place;
  throw refuseNowhere();
}
