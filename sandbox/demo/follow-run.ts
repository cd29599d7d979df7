import type { FleetStatus } from "#libs/plan";
import type { KeyValue } from "#libs/bus";

/** What the demo shows of a run while it goes on. */
export interface Picture {
  /** Draws the newest status. */
  show(status: FleetStatus): void;
  /** Says something that stays. */
  say(line: string): void;
}

function drawBar(done: number, total: number, width: number): string {
  const full = total === 0 ? 0 : Math.round((width * done) / total);
  return "█".repeat(full) + "░".repeat(width - full);
}

function describe(status: FleetStatus): string {
  const run = status.runs[0];
  if (run === undefined) return "no run is open";
  const over = run.arrived + run.asideTotal;
  const counts = `${over}/${run.workloads}  ${run.moving} moving  ${run.asideTotal} aside`;
  return `run ${run.id}  ${drawBar(over, run.workloads, 24)}  ${counts}`;
}

/** On a terminal one line is redrawn in place; piped, a line is printed only when the counts changed. */
export function createPicture(stdout: NodeJS.WriteStream): Picture {
  const isLive = stdout.isTTY && process.env["TERM"] !== "dumb";
  let last = "";
  return {
    show(status) {
      const line = `  ${describe(status)}`;
      if (line === last) return;
      last = line;
      stdout.write(isLive ? `\r\u001B[K${line.slice(0, (stdout.columns ?? 80) - 1)}` : `${line}\n`);
    },
    say(line) {
      stdout.write(isLive && last !== "" ? `\r\u001B[K${line}\n` : `${line}\n`);
      last = "";
    },
  };
}

/** Follows the planner's status until the condition holds or the signal aborts. */
export async function followStatus(
  status: KeyValue,
  onStatus: (status: FleetStatus) => void,
  isOver: (status: FleetStatus) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  try {
    await new Promise<void>((resolve, reject) => {
      either.addEventListener("abort", () => reject(either.reason as Error), { once: true });
      const watcher = {
        onEntry({ value }: { readonly value?: string }) {
          if (value === undefined) return;
          const read = JSON.parse(value) as FleetStatus;
          onStatus(read);
          if (isOver(read)) resolve();
        },
        onReady: () => undefined,
        onReset: () => undefined,
      };
      status.watch("fleet", watcher, either).catch(reject);
    });
  } finally {
    stop.abort();
  }
}
