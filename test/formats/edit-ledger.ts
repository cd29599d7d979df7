type Json = Readonly<Record<string, unknown>>;
type Edit = (record: Json) => Json;

function editText(text: string, edit: Edit): string {
  return JSON.stringify(edit(JSON.parse(text) as Json));
}

/** The file with each record in it edited: one, a line each, or one in the first line of a plan. */
export function editFile(path: string, text: string, edit: Edit): string {
  if (path.endsWith(".jsonl")) {
    const lines = text.split("\n").filter((line) => line !== "");
    return lines.map((line) => `${editText(line, edit)}\n`).join("");
  }
  if (!path.endsWith(".tsv")) return editText(text, edit);
  const end = text.indexOf("\n");
  return `# ${editText(text.slice("# ".length, end), edit)}${text.slice(end)}`;
}

/** The records of a file, in their order. */
export function readFileRecords(path: string, text: string): readonly Json[] {
  const records: Json[] = [];
  editFile(path, text, (record) => {
    records.push(record);
    return record;
  });
  return records;
}

/** All files, each record in them edited. */
export function editFiles(files: Readonly<Record<string, string>>, edit: Edit): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, editFile(path, text, edit)]));
}
