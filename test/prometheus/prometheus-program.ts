import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";

import { findAvailablePrograms } from "../../scripts/brokers/programs/find-programs.ts";
import type { Program, ProgramKind } from "../../scripts/brokers/programs/program.ts";

/** Older versions cannot fill a store from OpenMetrics. */
const prometheusKind: ProgramKind = {
  name: "prometheus",
  programs: ["prometheus"],
  oldest: "2.24.0",
  source: { packageName: "prometheus", file: "usr/bin/prometheus", program: "prometheus" },
};

/** The installed Prometheus, else Debian's package, unpacked without installing it; undefined where neither is available. */
export async function findPrometheus(): Promise<Program | undefined> {
  const log = (line: string) => void process.stderr.write(`meshroll: ${line}\n`);
  return (await findAvailablePrograms([prometheusKind], { log })).get(prometheusKind);
}

/** `promtool`, which every package has in the same folder. */
export function findPromtool({ path }: Program): string {
  return join(dirname(realpathSync(path)), "promtool");
}

/** The version that the program prints, for example `2.42.0+ds`. */
export function readPrometheusVersion({ path, env }: Program): string {
  const words = execFileSync(path, ["--version"], { env: { ...process.env, ...env }, encoding: "utf8" });
  return /version (\S+?),? /.exec(words)?.[1] ?? "unknown";
}
