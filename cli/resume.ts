import { randomUUID } from "node:crypto";

import type { StopScope } from "#libs/plan";

import type { Define } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { findNatsUrl, unreachable } from "./fleet-source.ts";
import { Refusal } from "./refusal.ts";
import { type Terminal, write } from "./terminal.ts";

interface Options {
  readonly nats?: string;
  readonly reason: string;
  readonly timeout: string;
}

function parseScope(text: string, isScope: (text: string) => text is StopScope): StopScope {
  if (isScope(text)) return text;
  throw new Refusal(
    exitCodes.usage,
    `${text} is no scope`,
    "say all, run/ID, cluster/NAME, namespace/NAME or bucket/PATTERN",
  );
}

/** Places the verb on the bus and waits until the planner has recorded it. */
async function ask(scope: StopScope, options: Options, url: string, { env }: Terminal): Promise<string | undefined> {
  const { openBus } = await import("#libs/bus");
  const { printAsk } = await import("#libs/events");
  const id = `resume-${randomUUID().slice(0, 8)}`;
  const key = `ask.${id}`;
  const verb = {
    id,
    verb: "lift",
    scope,
    strength: "move",
    who: env["USER"] ?? "unknown",
    why: options.reason,
    at: new Date().toISOString(),
  } as const;
  try {
    const bus = await openBus({ url, name: "meshroll-cli" });
    try {
      await bus.bucket("control").put(key, printAsk(verb));
      // The planner answers once the ledger has the verb: before that nothing is promised.
      const deadline = Date.now() + Number(options.timeout) * 1000;
      while (Date.now() < deadline) {
        const answer = await bus.bucket("status").get(`answer.${id}`);
        if (answer?.value !== undefined) return answer.value;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      return undefined;
    } finally {
      await bus.close();
    }
  } catch (error) {
    throw unreachable(url, error);
  }
}

/** `meshroll resume SCOPE`: lifts the stops recorded on exactly that scope. What failed stays aside. */
export const define: Define = (command, { terminal }) => {
  command
    .argument("<scope>", "run/ID, cluster/NAME, namespace/NAME, bucket/PATTERN or all")
    .requiredOption("--reason <text>", "why it may go on; everybody reads it in the ledger")
    .option("--nats <url>", "bus of the planner (default: MESHROLL_NATS_URL, or a running demo)")
    .option("--timeout <seconds>", "how long to wait until it is recorded", "15")
    .action(async (text: string, options: Options) => {
      const { isStopScope } = await import("#libs/plan");
      const scope = parseScope(text, isStopScope);
      const url = findNatsUrl(options, terminal);
      if (url === undefined)
        throw new Refusal(
          exitCodes.environment,
          "nobody said where the bus is",
          "give --nats URL or set MESHROLL_NATS_URL",
        );
      const answer = await ask(scope, options, url, terminal);
      if (answer === undefined) {
        throw new Refusal(
          exitCodes.tryLater,
          `no planner recorded it within ${options.timeout} s; it stays asked, and the next planner that comes records it`,
          "is a planner running?  meshroll status",
        );
      }
      const isLifted = answer.startsWith("lifted");
      const after = isLifted ? "\n  what failed stays aside;  meshroll status" : "";
      await write(terminal.stdout, `${isLifted ? "✔ " : ""}${answer}${after}\n`);
    });
};
