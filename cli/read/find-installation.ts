import { isInstallationId } from "#libs/input";
import type { FoundInstallation } from "#libs/bus";

import { exitCodes } from "../terminal/exit-codes.ts";
import { printAge } from "../text/print-time.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { Refusal } from "../terminal/refusal.ts";

/** A bus and an installation on it; without a name, the only one there. */
export interface BusPlace {
  readonly url: string;
  readonly installation?: string;
  /** Opens the connection and returns its address, where `url` is absent. */
  readonly reach?: () => Promise<string>;
  readonly explain?: Terminal["explain"];
}

/** May be a list of servers; passwords are never shown. */
export function nameBusPlace(url: string): string {
  return url.replaceAll(/\/\/[^/@,]*@/gu, "//");
}

/** "ab…, written 3 s ago" for people. */
export function describeInstallation({ id, writtenAt }: FoundInstallation, now: number): string {
  return writtenAt === undefined ? `${id}, never written` : `${id}, written ${printAge(now - writtenAt)} ago`;
}

/** The named installation, else the only one on the server. With several, one must be named. */
export async function chooseInstallation({ url, installation }: BusPlace): Promise<string> {
  if (installation !== undefined) {
    if (isInstallationId(installation)) return installation;
    const fix = ["give the id that meshroll init printed; again: ", { command: "meshroll init --dry-run" }];
    throw new Refusal(exitCodes.environment, `MESHROLL_INSTALLATION is not an id of meshroll init`, fix);
  }
  const { listInstallations } = await import("#libs/bus");
  const found = await listInstallations(url);
  const [only, ...others] = found;
  const place = nameBusPlace(url);
  if (only === undefined) {
    const fix = [
      "start the planner, or give --installation ID (MESHROLL_INSTALLATION): ",
      { command: "meshroll init --dry-run" },
      " says it",
    ];
    throw new Refusal(exitCodes.environment, `no installation of meshroll is on NATS at ${place}`, fix);
  }
  if (others.length === 0) return only.id;
  const listed = found.map((each) => `\n  ${describeInstallation(each, Date.now())}`).join("");
  const message = `${found.length} installations are on NATS at ${place}:${listed}`;
  throw new Refusal(exitCodes.environment, message, "say which: --installation ID (MESHROLL_INSTALLATION)");
}
