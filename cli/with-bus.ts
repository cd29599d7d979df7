import type { Bus } from "#libs/bus";

import { exitCodes } from "./exit-codes.ts";
import { findDemo } from "./demo-connection.ts";
import { Refusal } from "./refusal.ts";
import type { Terminal } from "./terminal.ts";

/** The bus cannot be used now: told like any refusal, and some verbs have another way. */
export class BusDown extends Refusal {
  constructor(url: string, why: string) {
    // A list of servers is no URL; what may be a password is never shown.
    const place = url.replaceAll(/\/\/[^/@,]*@/gu, "//");
    super(
      exitCodes.unavailable,
      // Most of the bus's own sentences name it already.
      why.startsWith("NATS at ") ? why : `NATS at ${place} does not answer: ${why}`,
      "is it running? is MESHROLL_NATS_URL right?",
    );
    this.name = "BusDown";
  }
}

/** Opens the bus for one command; everything that the bus itself refuses is a `BusDown`. */
export async function withBus<T>(url: string, use: (bus: Bus) => Promise<T>): Promise<T> {
  const { BusRefused, BusUnavailable, openBus } = await import("#libs/bus");
  let bus: Bus | undefined;
  try {
    bus = await openBus({ url, name: "meshroll-cli" });
    return await use(bus);
  } catch (error) {
    if (error instanceof BusUnavailable || error instanceof BusRefused) throw new BusDown(url, error.message);
    throw error;
  } finally {
    await bus?.close();
  }
}

/** The bus a command means, when it means one. */
export function findNatsUrl(options: { readonly nats?: string }, { env, cwd }: Terminal): string | undefined {
  return options.nats ?? env["MESHROLL_NATS_URL"] ?? findDemo(cwd)?.natsUrl;
}

/** Nothing says where anything of ours is: the same words and the same code for every command. */
export function refuseNowhere(otherwise = ""): Refusal {
  const message = "nobody said where the bus is, and no demo runs from this folder";
  const help = `give --nats URL (MESHROLL_NATS_URL)${otherwise}\nor start a demo here:  npm run demo`;
  return new Refusal(exitCodes.environment, message, help);
}

/** The bus that a verb means; without one nobody can be asked. */
export function requireNatsUrl(options: { readonly nats?: string }, terminal: Terminal): string {
  const url = findNatsUrl(options, terminal);
  if (url !== undefined) return url;
  throw refuseNowhere();
}
