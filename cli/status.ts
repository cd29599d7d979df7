import type { FleetStatus } from "#libs/plan";

import type { Define } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { addFleetOptions, type FleetOptions, readFleet } from "./fleet-source.ts";
import { addOutputOption } from "./output-option.ts";
import { printStatus } from "./print-status.ts";
import { isCurrent, readPublished } from "./read-published.ts";
import { addRepositoryOption, type RepositoryOptions, withRepository } from "./repository.ts";
import { Refusal } from "./refusal.ts";
import { type Terminal, write } from "./terminal.ts";
import { watchStatus } from "./watch-status.ts";
import { findNatsUrl, withBus } from "./with-bus.ts";

interface Options extends FleetOptions, RepositoryOptions {
  readonly output: "human" | "json";
  readonly watch?: boolean;
}

/** Without a planner: what the file says against what runs, by the same rules. */
async function computeStatus(options: Options, terminal: Terminal): Promise<FleetStatus> {
  const clusters = await readFleet(options, terminal);
  return withRepository(options, terminal, async ({ repository, ledger, url }) => {
    const { describeFleet, surveyFleet } = await import("#libs/plan");
    const { createMainline } = await import("#libs/mainline");
    const { systemClock } = await import("#libs/runtime");
    const { main, ledger: state, specs } = await createMainline(repository, ledger, systemClock()).refresh();
    const head = specs.get(main.head);
    if (head === undefined) throw new Refusal(exitCodes.invalid, `main of ${url} does not parse`, "meshroll validate");
    const world = {
      now: Date.now(),
      main,
      ledger: state,
      specs,
      clusters,
      asks: [],
      waitingSince: new Map(),
      queueUp: false,
    };
    const { judged, views } = surveyFleet(world, head);
    const noPlanner = {
      code: "NoPlanner",
      message: "no planner was asked: this is what the file says against what runs, and nothing moves by it",
      owner: "whoever runs meshroll",
    };
    return describeFleet(world, head, judged, views, [{ kind: "wait", scope: "all", reason: noPlanner }]);
  });
}

async function readStatus(options: Options, terminal: Terminal): Promise<FleetStatus> {
  const url = options.kubeconfig === undefined ? findNatsUrl(options, terminal) : undefined;
  const published = url === undefined ? undefined : await withBus(url, readPublished);
  return published ?? computeStatus(options, terminal);
}

/** `meshroll status`: the five answers, from the planner or computed from file and clusters. */
export const define: Define = (command, { terminal, finish }) => {
  addOutputOption(addRepositoryOption(addFleetOptions(command)), ["human", "json"])
    .option("-w, --watch", "print it again whenever it changes")
    .action(async (options: Options) => {
      if (options.watch === true) {
        await watchStatus(async () => readStatus(options, terminal), options.output, terminal);
        return;
      }
      const status = await readStatus(options, terminal);
      await write(
        terminal.stdout,
        options.output === "json" ? `${JSON.stringify(status, undefined, 2)}\n` : printStatus(status),
      );
      if (!isCurrent(status)) finish(exitCodes.unavailable);
    });
};
