import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";

import { findAvailablePrograms } from "../../scripts/brokers/programs/find-programs.ts";
import type { Program, ProgramKind } from "../../scripts/brokers/programs/program.ts";

/** Older ones know no OpenMetrics to fill a store from. */
const prometheusKind: ProgramKind = {
  name: "prometheus",
  programs: ["prometheus"],
  oldest: "2.24.0",
  source: { packageName: "prometheus", file: "usr/bin/prometheus", program: "prometheus" },
};

/** An installed Prometheus, else Debian's, unpacked and not installed; undefined where neither is to be had. */
export async function findPrometheus(): Promise<Program | undefined> {
  const log = (line: string) => void process.stderr.write(`meshroll: ${line}\n`);
  return (await findAvailablePrograms([prometheusKind], { log })).get(prometheusKind);
}

/** The tool that lies next to it in every package. */
export function findPromtool({ path }: Program): string {
  return join(dirname(realpathSync(path)), "promtool");
}

/** As `2.42.0+ds`, by the program's own words. */
export function readPrometheusVersion({ path, env }: Program): string {
  const words = execFileSync(path, ["--version"], { env: { ...process.env, ...env }, encoding: "utf8" });
  return /version (\S+?),? /.exec(words)?.[1] ?? "unknown";
}
