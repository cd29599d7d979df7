import type { Answer } from "#libs/rollouts";

/** How answers are printed, a list at a time: `head`, any number of `print`, `tail`. */
export interface AssignmentFormat {
  readonly head: string;
  readonly print: (answers: readonly Answer[]) => string;
  readonly tail: string;
}

/** Neither patterns nor revisions can hold a blank: the parser refuses it, so the columns stay columns. */
function makeTsv(): AssignmentFormat {
  const row = ({ namespace, bucket, revision }: Answer): string => `${namespace}\t${bucket.pattern}\t${revision}\n`;
  return { head: "", print: (answers) => answers.map(row).join(""), tail: "" };
}

/** One JSON document, one namespace a line, so that it can be streamed and still be read by anything. */
function makeJson(): AssignmentFormat {
  let separator = "\n";
  const row = ({ namespace, bucket, revision }: Answer): string => {
    const text = separator + JSON.stringify({ namespace, bucket: bucket.pattern, revision });
    separator = ",\n";
    return text;
  };
  return {
    head: '{"apiVersion":"meshroll.dev/v1","kind":"Assignments","assignments":[',
    print: (answers) => answers.map(row).join(""),
    tail: "\n]}\n",
  };
}

/** `-o` of `assign`. */
export const assignmentFormats = { tsv: makeTsv, json: makeJson } as const;
