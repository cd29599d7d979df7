import { explainSystemError } from "#libs/input";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";

import type { ClusterSnapshot } from "#libs/plan";

import { exitCodes } from "../../terminal/exit-codes.ts";
import { type FleetOptions, readFleet } from "../../read/fleet-source.ts";
import { type FleetSnapshot, readSnapshot, snapshotLimitBytes } from "../../read/fleet-snapshot.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

export interface SimulatedFleetOptions extends FleetOptions {
  /** A file, or `live`. */
  readonly fleet: string;
}

const howToSave = ["write one with: ", { command: "meshroll simulate CAMPAIGN --fleet live --save fleet.json" }];

async function readText(path: string, cwd: string): Promise<string> {
  const full = resolve(cwd, path);
  try {
    const { size } = await stat(full);
    if (size > snapshotLimitBytes) {
      const [mib, limit] = [size, snapshotLimitBytes].map((bytes) => Math.ceil(bytes / 1024 / 1024));
      throw new Refusal(exitCodes.invalid, `${path} has ${mib} MiB; at most ${limit} are read`, "leave clusters out");
    }
    return await readFile(full, "utf8");
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(exitCodes.invalid, `${path} cannot be read: ${explainSystemError(error)}`, howToSave);
  }
}

/** A fleet that was saved. */
async function loadFleetFile(path: string, { cwd }: Terminal): Promise<FleetSnapshot> {
  const read = readSnapshot(await readText(path, cwd));
  if (read.ok) return read.fleet;
  throw new Refusal(exitCodes.invalid, `${path} is not a saved fleet:\n${read.problems.join("\n")}`, howToSave);
}

/** A saved fleet for which a change is planned, used as if it ran now. */
export async function readSavedFleet(path: string, terminal: Terminal): Promise<ReadonlyMap<string, ClusterSnapshot>> {
  const { clusters } = await loadFleetFile(path, terminal);
  const known = { ageMs: 0, fresh: true, batch: undefined, batchEndedAt: 0 };
  return new Map(clusters.map((each) => [each.name, { ...each, ...known }]));
}

/** The fleet to simulate: a snapshot's file, or what runs now. */
export async function loadFleet(options: SimulatedFleetOptions, terminal: Terminal): Promise<FleetSnapshot> {
  if (options.fleet === "live") {
    const clusters = await readFleet(options, terminal);
    if (clusters.size === 0) {
      throw new Refusal(
        exitCodes.unavailable,
        "no cluster is in the inventory",
        "start an executor, or give --fleet FILE",
      );
    }
    return { clusters: [...clusters.values()], readiness: new Map() };
  }
  return loadFleetFile(options.fleet, terminal);
}
