import { suggestWord } from "#libs/input";

import { findKindNamed, type Kind, kindNames } from "../../names/kinds.ts";
import { findRunTyped } from "../../options/parse-scope.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";

/** The kind and the name: `runs istio-1-25`, or `run/ID` as `-o name` prints it. */
export interface Subject {
  readonly kind: Kind;
  /** The plural as it was typed: `stops` for the kind `holds`. */
  readonly typed: string;
  readonly name?: string;
}

function refuseKind(word: string): Refusal {
  const near = suggestWord(word, kindNames);
  const guess = near === undefined ? [] : [`did you mean ${near}?`];
  return new Refusal(exitCodes.usage, `there is no kind ${word}`, ...guess, `kinds: ${kindNames.join(", ")}`);
}

/** The name as it is looked up: of a run with its kind, because a campaign can be named there too. */
function completeName(kind: Kind, name: string): string {
  const run = kind === "runs" ? findRunTyped(name) : undefined;
  return run === undefined ? name : `run/${run}`;
}

/** A run's id alone says its kind. */
function isBareRun(word: string, name: string | undefined): boolean {
  const isKind = findKindNamed(word) !== undefined || word.includes("/");
  return name === undefined && !isKind && findRunTyped(word) !== undefined;
}

/** What `verb` is about. Refuses an unknown kind. */
export function readSubject(verb: "describe" | "get", word: string, name: string | undefined): Subject {
  if (isBareRun(word, name)) return { kind: "runs", typed: "runs", name: completeName("runs", word) };
  const slash = word.indexOf("/");
  const [head, tail] = slash < 0 ? [word, name] : [word.slice(0, slash), word.slice(slash + 1)];
  const kind = findKindNamed(head);
  if (kind === undefined) throw refuseKind(head);
  if (slash >= 0 && name !== undefined) {
    throw new Refusal(
      exitCodes.usage,
      `${word} has the kind and the name already`,
      [{ command: `meshroll ${verb} ${word}` }],
      [{ command: `meshroll ${verb} ${head} ${name}` }],
    );
  }
  const typed = kind === "holds" ? head.replace(/s?$/u, "s") : kind;
  return tail === undefined ? { kind, typed } : { kind, typed, name: completeName(kind, tail) };
}
