import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createRandom } from "#fakes/kube";
import { compileSpec } from "#libs/plan";

import { pick } from "./hostile.ts";
import { mutateText } from "./mutate.ts";
import type { Round } from "./play-round.ts";

const fixtures = fileURLToPath(new URL("../fixtures", import.meta.url));

function readSamples(folder: string): readonly string[] {
  const names = readdirSync(join(fixtures, folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".yml"))
    .map((name) => readFileSync(join(fixtures, folder, name), "utf8"));
}

const rollouts = readSamples("rollouts");
const campaigns = readSamples("campaigns");
const settings =
  "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 10s }\nclusters:\n  one: { skipped: true }\n";
/** Most CPU time for one set of files, ms. */
const mostCpuMs = 1000;

/** Reads files of a rollouts repository that are nearly valid: each must be read, or refused with findings, in limited time. */
export function playFiles(seed: string): Round {
  const random = createRandom(seed);
  const [story, faults]: [string[], string[]] = [[], []];
  for (let count = 0; count < 20; count += 1) {
    const file = mutateText(random, pick(random, rollouts));
    const files = { "campaigns/a.yml": mutateText(random, pick(random, campaigns)) };
    const given = random() < 0.5 ? mutateText(random, settings) : undefined;
    const before = process.cpuUsage();
    try {
      const read = compileSpec("0".repeat(40), file, given, files);
      if (!read.ok && JSON.stringify(read).length > 2_000_000)
        faults.push("the findings are larger than two megabytes");
    } catch (error) {
      faults.push(`threw ${String(error).slice(0, 300)}`);
    }
    const cpu = process.cpuUsage(before).user / 1000;
    if (cpu > mostCpuMs) faults.push(`took ${Math.round(cpu)} ms of CPU`);
    if (faults.length > 0) story.push(file.slice(0, 2000), ...Object.values(files), given ?? "");
    if (faults.length > 0) break;
  }
  return { faults, story };
}
