import type { FleetStatus } from "#libs/plan";

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

/** For a terminal that cannot move its cursor: a line when the counts changed. */
export function createPlainLines(stdout: Pick<Output, "write">): Display {
  let last = "";
  let lastSteps = "";
  const put = (line: string): void => void stdout.write(`${line}\n`);
  return {
    showStatus(status) {
      const line = describeRun(status);
      if (line === last) return;
      last = line;
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
      if (text !== "") put(text);
    },
    leave: () => undefined,
    summarise: put,
  };
}
