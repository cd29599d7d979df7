import { cleanName, findScopeKind, suggestWord } from "#libs/input";
import { isStopScope, type StopScope } from "#libs/plan";
import { cleanText } from "#libs/runtime";

import { type Command, usages, type Verb } from "./command.ts";

/** `none`: no command of ours. `wrong`: addressed to us, but not understood; `why` is a sentence that says what to write. */
export type ParsedComment =
  | { readonly kind: "none" }
  | { readonly kind: "command"; readonly command: Command; readonly line: string }
  | { readonly kind: "wrong"; readonly why: string; readonly line: string };

/** Most characters of a reason: it is kept in the ledger and shown in every status. */
const mostReason = 500;
/** A command with a longer first line is not understood. */
const mostLine = 4_000;

const namespaceName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u;

/** The first line that is not empty. A quoted or indented command does not count: it is text about commands. */
function readFirstLine(body: string): string {
  return body.split(/\r?\n/u, 50).find((line) => line.trim() !== "") ?? "";
}

function splitWord(text: string): readonly [word: string, rest: string] {
  const [, word = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/u.exec(text.trim()) ?? [];
  return [word, rest];
}

type Wrong = { readonly wrong: string };
type Read = Command | Wrong;

/** Splits off the scope, if the comment names one before its reason. */
function splitScope(text: string): { readonly scope?: StopScope; readonly rest: string } | Wrong {
  const [word, rest] = splitWord(text);
  // A word that begins like a scope must be one: it is refused otherwise, and never becomes part of the reason.
  const kind = findScopeKind(word);
  if (kind === undefined || kind === "all") return { rest: text };
  if (isStopScope(word)) return { scope: word, rest };
  const named = cleanText(word, 80).replaceAll("`", "'");
  return {
    wrong: `\`${named}\` is not a scope: \`campaign/NAME\`, \`run/ID\`, \`cluster/NAME\`, \`bucket/PATTERN\`, \`namespace/NAME\``,
  };
}

/** `namespace/Kind/name`, or a path behind `cluster:`: no word of a reason looks so. */
const workloadForm = /^(?:[a-z0-9-]+:[a-z0-9-]+\/\S+|[a-z0-9-]+\/[A-Za-z][\w.]*\/[^\s/]+)$/u;

/** A scope, or a workload, before the reason. */
function readConverge(text: string): Read {
  const [word, rest] = splitWord(text);
  if (findScopeKind(cleanName(word)) !== undefined || !workloadForm.test(cleanName(word)))
    return readStop("converge", text);
  const why = cleanText(rest, mostReason);
  if (why === "") return { wrong: "say why, others will read it: `/meshroll converge WORKLOAD REASON`" };
  return { verb: "converge", workload: word.slice(0, 400), why };
}

function readStop(verb: "pause" | "hold" | "rollback" | "converge", text: string): Read {
  const split = splitScope(text);
  if ("wrong" in split) return split;
  const { scope, rest } = split;
  const why = cleanText(rest, mostReason);
  if (why === "") return { wrong: `say why, others will read it: \`/meshroll ${verb} REASON\`` };
  return { verb, why, ...(scope === undefined ? {} : { scope }) };
}

function readResume(verb: "resume" | "unhold", text: string): Read {
  const split = splitScope(text);
  if ("wrong" in split) return split;
  const { scope, rest } = split;
  const why = cleanText(rest, mostReason);
  return { verb, why: why === "" ? "asked by a comment" : why, ...(scope === undefined ? {} : { scope }) };
}

function readRetry(text: string): Read {
  const split = splitScope(text);
  if ("wrong" in split) return split;
  const { scope, rest } = split;
  const [workload, more] = splitWord(rest);
  if (more !== "") return { wrong: "name one workload, or none for all that failed: `/meshroll retry [WORKLOAD]`" };
  const place = scope === undefined ? {} : { scope };
  if (workload === "") return { verb: "retry", ...place };
  if (workload.length > 400) return { wrong: "no workload has such a long name" };
  return { verb: "retry", workload, ...place };
}

function readExplain(text: string): Read {
  const [namespace, more] = splitWord(text);
  if (namespaceName.test(namespace) && more === "") return { verb: "explain", namespace };
  return { wrong: "name one namespace: `/meshroll explain NAMESPACE`" };
}

type Readers = { readonly [V in Verb]: (rest: string) => Read };

/** One for each verb, so that a new verb does not compile without a reader. */
const readers: Readers = {
  pause: (rest) => readStop("pause", rest),
  hold: (rest) => readStop("hold", rest),
  rollback: (rest) => readStop("rollback", rest),
  converge: readConverge,
  resume: (rest) => readResume("resume", rest),
  unhold: (rest) => readResume("unhold", rest),
  retry: readRetry,
  explain: readExplain,
  status: () => ({ verb: "status" }),
  plan: () => ({ verb: "plan" }),
  rerender: () => ({ verb: "rerender" }),
  help: () => ({ verb: "help" }),
};

const verbs: readonly Verb[] = usages.map(({ verb }) => verb);

function refuseWord(word: string): string {
  const meant = suggestWord(word, verbs);
  const hint = meant === undefined ? "`/meshroll help` lists what there is" : `did you mean \`/meshroll ${meant}\`?`;
  // In a code span, so that the word mentions no account.
  return `there is no command \`${cleanText(word, 40).replaceAll("`", "'")}\`; ${hint}`;
}

/** Reads the command in a comment's first line. Pure; the text is cut before it is parsed. */
export function parseComment(body: string): ParsedComment {
  const first = readFirstLine(body.slice(0, mostLine * 2));
  const called = /^\/meshroll(?:\s+([\s\S]*))?$/iu.exec(first.trimEnd());
  if (called === null) return { kind: "none" };
  const line = cleanText(first, 200);
  if (first.length > mostLine) return { kind: "wrong", why: "a command fits on one line of a screen", line };
  const [word, rest] = splitWord(called[1] ?? "");
  if (word === "") return { kind: "command", command: { verb: "help" }, line };
  const verb = verbs.find((each) => each === word.toLowerCase());
  if (verb === undefined) return { kind: "wrong", why: refuseWord(word), line };
  const read = readers[verb](rest);
  return "wrong" in read ? { kind: "wrong", why: read.wrong, line } : { kind: "command", command: read, line };
}
