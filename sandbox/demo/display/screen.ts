import type { FleetStatus } from "#libs/plan";
import type { Clock } from "#libs/runtime";

import { describeEvent } from "./describe-event.ts";
import type { Display, Output } from "./display.ts";
import { fitLeft, showTime } from "../drawing/fit-text.ts";
import { paintLine } from "../drawing/paint-line.ts";
import { drawPicture } from "../drawing/picture.ts";
import type { Note, Step } from "../story/step.ts";

/** Notes that are kept; a screen never has room for more. */
const keptNotes = 100;
/** Shortest time between two drawings, real ms, so that a burst of events is drawn once. */
const spacingMs = 100;

// The terminal's alternate screen with a hidden cursor, and back. Between 2026h and 2026l a terminal shows no partial
// drawing; terminals that do not know these codes ignore them.
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

/** The live picture: redrawn in place after each change of the content or of the terminal's size. */
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
    // Every cell is written, as clearing a row before writing it would flicker.
    const cells = Array.from({ length: size.rows }, (_, row) => fitLeft(drawn[row] ?? "", size.columns));
    const lines = cells.map((line) => (colour ? paintLine(line) : line));
    // No line feed after the last line, which would scroll the first line out.
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
      // The alternate screen is gone with its content, so the notes are printed on the normal screen.
      stdout.write(exit + notes.map(({ at, text }) => `${showTime(at)} ${text}\n`).join(""));
    },
    summarise: (text) => void stdout.write(`${text}\n`),
  };
}
