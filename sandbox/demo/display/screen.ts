import type { FleetStatus } from "#libs/plan";
import type { Clock } from "#libs/runtime";

import { describeEvent } from "./describe-event.ts";
import type { Display, Output } from "./display.ts";
import { fitLeft, showTime } from "../drawing/fit-text.ts";
import { paintLine } from "../drawing/paint-line.ts";
import { drawPicture } from "../drawing/picture.ts";
import type { Note, Step } from "../story/step.ts";

/** Kept for the picture; more never fit on a screen. */
const keptNotes = 100;
/** Real ms between two drawings at the least: a burst of messages is one. */
const spacingMs = 100;

// The other screen of the terminal, without its cursor, and back. Between 2026h and 2026l a terminal shows nothing
// half drawn; one that does not know this ignores it.
const enter = "\u001B[?1049h\u001B[?25l";
const exit = "\u001B[?25h\u001B[?1049l";
const home = "\u001B[H";
const [hold, release] = ["\u001B[?2026h", "\u001B[?2026l"];

export interface ScreenOptions {
  readonly stdout: Output;
  readonly colour: boolean;
  /** The clusters' time. */
  readonly clock: Pick<Clock, "now">;
}

/** The live picture: redrawn in place whenever something changed, and when the terminal's size did. */
export function createScreen({ stdout, colour, clock }: ScreenOptions): Display {
  let status: FleetStatus | undefined;
  let notes: readonly Note[] = [];
  let next: readonly Step[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isLeft = false;
  const draw = (): void => {
    timer = undefined;
    const size = { columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 };
    const drawn = drawPicture({ status, notes, next }, size);
    // Every cell is written, so that nothing has to be cleared: clearing a row and writing it again is what flickers.
    const cells = Array.from({ length: size.rows }, (_, row) => fitLeft(drawn[row] ?? "", size.columns));
    const lines = cells.map((line) => (colour ? paintLine(line) : line));
    // No line feed after the last line: on the bottom row it would push the first one out.
    stdout.write(hold + home + lines.join("\r\n") + release);
  };
  const change = (): void => {
    if (!isLeft) timer ??= setTimeout(draw, spacingMs);
  };
  const note = (at: string, text: string): void => {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    notes = [...notes, ...lines.map((line) => ({ at, text: line }))].slice(-keptNotes);
    change();
  };
  stdout.write(enter);
  stdout.on("resize", draw);
  draw();
  return {
    showStatus: (newest) => {
      status = newest;
      change();
    },
    showEvent: (event) => {
      const described = describeEvent(event);
      if (described !== undefined) note(described.at, described.text);
    },
    say: (text) => (isLeft ? void stdout.write(`${text}\n`) : note(new Date(clock.now()).toISOString(), text)),
    suggest: (steps) => {
      next = steps;
      change();
    },
    leave: () => {
      if (isLeft) return;
      isLeft = true;
      clearTimeout(timer);
      stdout.off("resize", draw);
      // The other screen is gone with all that it showed: what happened stays in the terminal's own.
      stdout.write(exit + notes.map(({ at, text }) => `${showTime(at)} ${text}\n`).join(""));
    },
    summarise: (text) => void stdout.write(`${text}\n`),
  };
}
