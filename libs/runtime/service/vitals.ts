import { z } from "zod";

import type { Closers } from "./closers.ts";
import type { Clock } from "../clock/clock.ts";
import { startHealthServer } from "../http/health-server.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import { createPulse, type Pulse } from "../http/pulse.ts";

/** Schema of a TCP port; 0 takes a free one. */
export function port() {
  const message = "must be a port: 0 to 65535";
  return z.coerce.number(message).int(message).min(0, message).max(65_535, message);
}

/** The variables of every service that has no HTTP server of its own. Without a port none is opened. */
export const healthVariables = {
  MESHROLL_HEALTH_HOST: z.string().default("127.0.0.1"),
  MESHROLL_HEALTH_PORT: port().optional(),
};

/** A process's own health. */
export interface Vitals {
  readonly metrics: Metrics;
  readonly pulse: Pulse;
  /**
   * Each function returns why an outside system does not answer now, or undefined: shown with the pulse, and no reason to
   * restart.
   */
  readonly silences: Set<() => string | undefined>;
}

/** New vitals, whose metrics include the pulse. */
export function createVitals(clock: Clock): Vitals {
  const [metrics, pulse] = [createMetrics(), createPulse(clock)];
  metrics.ask("meshroll_loop_age_seconds", "Since the event loop of this process last ran", [], () => [
    [{}, pulse.age()],
  ]);
  return { metrics, pulse, silences: new Set() };
}

interface HealthOptions {
  readonly MESHROLL_HEALTH_HOST: string;
  readonly MESHROLL_HEALTH_PORT?: number | undefined;
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics` when a port is configured, until the process ends. `findObstacle` says in a
 * sentence why the process is not ready.
 */
export async function openHealth(
  options: HealthOptions,
  vitals: Vitals,
  findObstacle: () => string | undefined,
  closers: Closers,
): Promise<void> {
  const { MESHROLL_HEALTH_HOST: host, MESHROLL_HEALTH_PORT: wanted } = options;
  if (wanted === undefined) return;
  const server = await startHealthServer({ ...vitals, host, port: wanted, findObstacle });
  closers.add("health", async () => server.close());
}
