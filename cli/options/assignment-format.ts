import type { Answer } from "#libs/rollouts";

/** How assignments are printed: `head`, any number of `print`, `tail`. */
export interface AssignmentFormat {
  readonly head: string;
  readonly print: (answers: readonly Answer[]) => string;
  readonly tail: string;
}

/** The parser refuses blanks in patterns and revisions, so the columns are unambiguous. */
function makeTsv(): AssignmentFormat {
  const row = ({ namespace, bucket, revision }: Answer): string => `${namespace}\t${bucket.pattern}\t${revision}\n`;
  return { head: "", print: (answers) => answers.map(row).join(""), tail: "" };
}

/** One JSON document with one namespace per line, so that it can be streamed. */
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
