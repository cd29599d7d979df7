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
  constructor({ url }: BusPlace, why: string) {
    super(
      exitCodes.unavailable,
      // Most of the bus's own sentences name it already.
      why.startsWith("NATS at ") ? why : `NATS at ${nameBusPlace(url)} does not answer: ${why}`,
      "is it running? is MESHROLL_NATS_URL right?",
    );
    this.name = "BusDown";
  }
}

/** Opens the bus for one command; everything that the bus itself refuses is a `BusDown`. */
export async function withBus<T>(place: BusPlace, use: (bus: Bus) => Promise<T>): Promise<T> {
  const { BusRefused, BusUnavailable, openBus } = await import("#libs/bus");
  let bus: Bus | undefined;
  try {
    const { url } = place;
    bus = await openBus({ url, installation: await chooseInstallation(place), name: "meshroll-cli" });
    return await use(bus);
  } catch (error) {
    if (error instanceof BusUnavailable || error instanceof BusRefused) throw new BusDown(place, error.message);
    throw error;
  } finally {
    await bus?.close();
  }
}

/** The bus a command means, when it means one: a flag beats a variable. */
export function findBus(options: BusOptions, { env }: Terminal): BusPlace | undefined {
  const url = options.nats ?? env["MESHROLL_NATS_URL"];
  if (url === undefined) return undefined;
  const installation = options.installation ?? env["MESHROLL_INSTALLATION"] ?? "";
  return installation === "" ? { url } : { url, installation };
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
