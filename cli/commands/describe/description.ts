import { fitTable } from "../../text/table.ts";
import { chooseProse, wrapText } from "../../text/wrap-text.ts";
import { wrapLabelled } from "../../text/wrap-labelled.ts";
import type { Reading } from "../../options/reading-options.ts";
import { sayText } from "../../show/status/print-answers.ts";
import { sayCommands } from "../../terminal/called-as.ts";
import { indentSentence, type Sentence } from "../../terminal/sentence.ts";

/** A list below the fields: sentences, or rows. */
export interface Section {
  readonly title: string;
  readonly lines?: readonly Sentence[];
  readonly table?: {
    readonly header: readonly string[];
    readonly rows: readonly (readonly string[])[];
    /** Columns that a narrow terminal goes without. */
    readonly spare?: readonly string[];
  };
}

/** One thing as `kubectl describe` shows it. */
export interface Description {
  /** `Name: value`; a field without a value is left out. */
  readonly fields: readonly (readonly [label: string, value: string | undefined])[];
  readonly sections: readonly Section[];
}

/** A pipe has no columns: each line is whole, for grep. */
function chooseWidth({ width }: Reading): number {
  return width === undefined ? Number.POSITIVE_INFINITY : chooseProse(width);
}

function printRows({ table }: Section, reading: Reading): readonly string[] {
  if (table === undefined || table.rows.length === 0) return [];
  const { header, rows, spare = [] } = table;
  const width = (reading.width ?? Number.POSITIVE_INFINITY) - 2;
  return fitTable(header, rows, { width, spare }).lines.map((line) => `  ${line}`);
}

function printSection(section: Section, reading: Reading): readonly string[] {
  const { title, lines = [] } = section;
  const width = chooseWidth(reading);
  const wrapped = lines.flatMap((line) => wrapText(sayCommands(indentSentence(line), reading.terminal), width));
  const all = [...printRows(section, reading), ...wrapped];
  return all.length === 0 ? [`${title}:  <none>`] : [`${title}:`, ...all].map((line) => sayText(line, reading));
}

/** Fields with their values in one column, then the lists. */
export function printDescription({ fields, sections }: Description, reading: Reading): string {
  const known = fields.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
  const margin = Math.max(0, ...known.map(([label]) => label.length)) + 3;
  const heads = known.flatMap(([label, value]) =>
    wrapLabelled(
      sayText(`${`${label}:`.padEnd(margin)}${value}`, reading),
      margin,
      reading.terminal,
      chooseWidth(reading),
    ),
  );
  return `${[...heads, ...sections.flatMap((section) => printSection(section, reading))].join("\n")}\n`;
}
