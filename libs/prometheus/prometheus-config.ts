import { type Secret, secret } from "#libs/runtime";
import { z } from "zod";

import { openPrometheus } from "./http.ts";
import type { Prometheus } from "./port.ts";

/** A login belongs into the token: an address stands in logs and in error messages. */
const address = z
  .url({ protocol: /^https?$/u, error: "must be an address of http or https, such as http://prometheus:9090" })
  .refine((value) => !value.includes("@"), "must not hold a login: use MESHROLL_PROMETHEUS_TOKEN")
  .refine((value) => !value.includes("?"), "must not hold a query: it is the base address of the API");

/** Variables of a process that queries Prometheus. docs/reference/configuration.md has a line for each. */
export const prometheusVariables = {
  /** Base address of whatever speaks Prometheus' HTTP API. */
  MESHROLL_PROMETHEUS_URL: address.optional(),
  /** Bearer token, where it asks for one. */
  MESHROLL_PROMETHEUS_TOKEN: secret().optional(),
} as const;

/** What `prometheusVariables` read. */
interface PrometheusConfig {
  readonly MESHROLL_PROMETHEUS_URL?: string | undefined;
  readonly MESHROLL_PROMETHEUS_TOKEN?: Secret | undefined;
}

/** The Prometheus that the environment names; undefined when it names none. Sends nothing yet. */
export function openConfiguredPrometheus(config: PrometheusConfig): Prometheus | undefined {
  const { MESHROLL_PROMETHEUS_URL: url, MESHROLL_PROMETHEUS_TOKEN: token } = config;
  if (url === undefined) return undefined;
  return openPrometheus({ url, ...(token === undefined ? {} : { token: token.reveal() }) });
}
