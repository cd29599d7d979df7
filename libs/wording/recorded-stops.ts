import { cleanLine } from "#libs/input";

import type { CasesOf } from "./cases.ts";
import { type Text, writeText } from "./text.ts";

/** At most `longest` UTF-16 units, a cut text with "…". Half a surrogate pair would be read back as another text. */
export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}

interface Entry {
  readonly cluster: string;
  /** The entry's key; any text. */
  readonly key: string;
}

function nameEntry({ cluster, key }: Entry): string {
  return `entry ${cleanLine(key, 80)} of ConfigMap meshroll-recorded-stops in ${cluster}`;
}

/** What is wrong with a stop in a cluster's ConfigMap, or with one that is to be written there. */
const wordings = {
  OtherInstallation: ({ installation, ...entry }: Entry & { readonly installation: string }) =>
    `${nameEntry(entry)} is ignored: installation ${installation} wrote it, and this is another installation`,
  OtherCluster: ({ scope, ...entry }: Entry & { readonly scope: string }) =>
    `${nameEntry(entry)} is ignored: it names ${scope}, and stops its own cluster only`,
  EntryHolds: (entry: Entry) =>
    `${nameEntry(entry)} is ignored: a hold is placed by meshroll hold, a ConfigMap only stops its cluster`,
  /** It stops its cluster, but these fields are ignored. */
  FieldsIgnored: ({
    scope,
    fields,
    ...entry
  }: Entry & { readonly scope: string; readonly fields: readonly string[] }) =>
    `${nameEntry(entry)} stops ${scope} there; its ${fields.join(" and ")} are ignored, because only a verb rolls back`,
  NotRecordable: ({ id, who, scope }: Readonly<Record<"id" | "who" | "scope", string>>) =>
    `the stop ${cutText(JSON.stringify(id), 80)} of ${cutText(who, 80)} on ${cutText(scope, 80)} cannot be recorded in the cluster: ` +
    "its id cannot be a key of a ConfigMap, or it is too long",
};

/** What is wrong with a recorded stop, as a value. */
export type RecordedStopProblem = CasesOf<typeof wordings>;

export function renderStopProblem(problem: RecordedStopProblem): Text {
  return writeText((wordings[problem.code] as (problem: RecordedStopProblem) => string)(problem));
}
