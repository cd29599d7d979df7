import { createLogger, type Logger } from "./logger.ts";

export { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";

/** A logger that keeps its lines instead of printing them. */
export function createKeptLog(): {
  readonly log: Logger;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
} {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Readonly<Record<string, unknown>>);
  return { log: createLogger("test", [], "debug", write), lines };
}
