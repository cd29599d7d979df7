import { showUnprintable } from "#libs/input";

import { type Key, parseKeys } from "./keys.ts";
import { readColumns, type Terminal, write, writeSequences } from "../terminal/terminal.ts";
import type { Size } from "./watch-frame.ts";

const enter = "\u001B[?1049h\u001B[?25l";
const leave = "\u001B[?25h\u001B[?1049l";

/** The part of a terminal that a live picture uses. */
export interface Screen {
  readonly size: () => Size;
  /** Redraws the screen; `foot` lists the keys and is not left behind. */
  draw(lines: readonly string[], foot: string): Promise<void>;
  /** Aborted when the person leaves, by q or Ctrl-C. */
  readonly left: AbortSignal;
  /** Called for every other key, one at a time. */
  listen(onKey: (key: Key) => void): void;
  /** Restores the terminal, and leaves the last picture in its scrollback. */
  close(): Promise<void>;
}

/** Whether a picture can be redrawn: on a terminal that is not dumb. */
export function isLive({ stdout, env }: Pick<Terminal, "stdout" | "env">): boolean {
  return stdout.isTTY === true && env["TERM"] !== "dumb";
}

function readSize({ stdout, env }: Pick<Terminal, "stdout" | "env">): Size {
  const rows = "rows" in stdout && typeof stdout.rows === "number" ? stdout.rows : 24;
  return { rows, columns: readColumns({ stdout, env }) };
}

/** Keys come one by one, without echo. */
function listenToKeys(stdin: Terminal["stdin"], onKey: (key: Key) => void): () => void {
  const onData = (data: Buffer | string) => {
    for (const key of parseKeys(String(data))) onKey(key);
  };
  const setRaw = (isRaw: boolean) => {
    if ("setRawMode" in stdin && typeof stdin.setRawMode === "function") stdin.setRawMode(isRaw);
  };
  if (stdin.isTTY !== true) return () => undefined;
  setRaw(true);
  stdin.on("data", onData);
  stdin.resume();
  return () => {
    stdin.off("data", onData);
    setRaw(false);
    stdin.pause();
  };
}

/** Uses the terminal's alternate screen; the earlier contents return when it is closed. */
export async function openScreen({ stdin, stdout, env }: Terminal): Promise<Screen> {
  const leaving = new AbortController();
  const onSignal = () => leaving.abort();
  process.once("SIGINT", onSignal);
  process.once("SIGTERM", onSignal);
  let tell: (key: Key) => void = () => undefined;
  const stopListening = listenToKeys(stdin, (key) => (key === "leave" ? leaving.abort() : tell(key)));
  let last: readonly string[] = [];
  await writeSequences(stdout, enter);
  return {
    size: () => readSize({ stdout, env }),
    left: leaving.signal,
    listen(onKey) {
      tell = onKey;
    },
    async draw(lines, foot) {
      last = lines;
      // Moves home and clears each line's end, so that it does not flicker and nothing of a longer frame is left.
      const drawn = [...lines, foot].map((line) => `${showUnprintable(line)}\u001B[K`);
      await writeSequences(stdout, `\u001B[H${drawn.join("\r\n")}\u001B[J`);
    },
    async close() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
      stopListening();
      await writeSequences(stdout, leave);
      await write(stdout, last.map((line) => `${line}\n`).join(""));
    },
  };
}
