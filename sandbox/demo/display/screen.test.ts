import { expect, test } from "vitest";

import type { Output } from "./display.ts";
import { createScreen } from "./screen.ts";
import { makeStatus } from "../test-status.ts";

interface FakeTerminal extends Output {
  columns: number;
  rows: number;
  written: string;
  resize(columns: number, rows: number): void;
}

function openTerminal(): FakeTerminal {
  const listeners = new Set<() => void>();
  const terminal: FakeTerminal = {
    isTTY: true,
    columns: 80,
    rows: 24,
    written: "",
    write: (text) => void (terminal.written += text),
    on: (_event, listener) => listeners.add(listener),
    off: (_event, listener) => listeners.delete(listener),
    resize: (columns, rows) => {
      Object.assign(terminal, { columns, rows, written: "" });
      for (const listener of listeners) listener();
    },
  };
  return terminal;
}

const clock = { now: () => Date.UTC(2026, 10, 21, 15, 14) };

/** The rows of one drawing: what is written after the code "home". */
function readCells(written: string): readonly string[] {
  const drawn = written.slice(written.lastIndexOf("\u001B[H") + 3, written.lastIndexOf("\u001B[?2026l"));
  return drawn.split("\r\n");
}

test("every drawing writes every cell and no line feed after the last row", () => {
  const terminal = openTerminal();
  const screen = createScreen({ stdout: terminal, colour: false, clock });
  expect(readCells(terminal.written).map((row) => row.length)).toEqual(Array(24).fill(80));
  screen.showStatus(makeStatus());
  for (const [columns, rows] of [
    [80, 24],
    [120, 40],
    [40, 10],
  ] as const) {
    terminal.resize(columns, rows);
    expect(readCells(terminal.written).map((row) => row.length)).toEqual(Array(rows).fill(columns));
  }
  screen.leave();
});

test("colour adds no column", () => {
  const terminal = openTerminal();
  const screen = createScreen({ stdout: terminal, colour: true, clock });
  screen.showStatus(makeStatus());
  screen.say("✖ something failed");
  terminal.resize(80, 24);
  const cells = readCells(terminal.written);
  expect(cells.join("")).toContain("\u001B[31m");
  // oxlint-disable-next-line no-control-regex -- terminals do not show these codes
  expect(cells.map((row) => row.replaceAll(/\u001B\[[0-9;]*m/g, "").length)).toEqual(Array(24).fill(80));
  screen.leave();
});

test("leaving restores the terminal once, prints the notes, and ends the drawing", () => {
  const terminal = openTerminal();
  const screen = createScreen({ stdout: terminal, colour: false, clock });
  screen.say("first\nsecond");
  terminal.written = "";
  screen.leave();
  screen.leave();
  expect(terminal.written).toBe("\u001B[?25h\u001B[?1049l15:14 first\n15:14 second\n");
  terminal.resize(100, 30);
  expect(terminal.written).toBe("");
  screen.summarise("the end", {});
  expect(terminal.written).toBe("the end\n");
});
