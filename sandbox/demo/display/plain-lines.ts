import { addressPage } from "#libs/input";
import type { FleetStatus } from "#libs/plan";
import type { Clock } from "#libs/runtime";

import { describeEvent } from "./describe-event.ts";
import type { Display, Output } from "./display.ts";
import { drawBar } from "../drawing/fit-text.ts";

function describeRun({ runs }: FleetStatus): string {
  const run = runs.at(-1);
  if (run === undefined) return "";
  const { migrated, workloads, migrating, skippedTotal } = run;
  const counts = `${migrated}/${workloads} migrated, ${migrating} migrating, ${skippedTotal} skipped`;
  return `run ${run.id}  ${drawBar(migrated, workloads, 24)}  ${counts}`;
}

/** The counts change with each workload; they are printed at most once in this time, real ms. */
const countsEveryMs = 3000;

/** For a pipe, and for a terminal that cannot move its cursor: a line for each event, and the counts from time to time. */
export function createPlainLines(stdout: Pick<Output, "write">, clock: Pick<Clock, "monotonic">): Display {
  let last = "";
  let countedAt = Number.NEGATIVE_INFINITY;
  let lastSteps = "";
  let page: string | undefined;
  const put = (line: string): void => void stdout.write(`${line}\n`);
  return {
    showStatus(status) {
      page = addressPage(status.page, { code: "Fleet" });
      const line = describeRun(status);
      const now = clock.monotonic();
      if (line === last || now - countedAt < countsEveryMs) return;
      [last, countedAt] = [line, now];
      if (line !== "") put(`  ${line}`);
    },
    showEvent(event) {
      const note = describeEvent(event);
      if (note !== undefined) put(`  ${note.text}`);
    },
    say: put,
    suggest(steps) {
      const text = steps.map(({ what, command }) => `  ▸ ${what}: ${command}`).join("\n");
      if (text === lastSteps) return;
      lastSteps = text;
      if (text !== "") put(page === undefined ? text : `${text}\n  ▸ in a browser: ${page}`);
    },
    leave: () => undefined,
    summarise: put,
  };
}
