import { relative, resolve } from "node:path";

import type { Finding } from "#libs/rollouts";

import { nameInput } from "../terminal/input.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** One annotation in the form that GitHub Actions reads from a step's output. `file` is a path from the repository's root. */
export interface Annotation {
  readonly level: "error" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

const levels = { error: "error", warning: "warning", note: "notice" } as const;

/** A line break would end the command, and following text of others could be another command. */
function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** `::error file=rollouts.yml,line=3,title=MR1004::…`: one line of a step's output, and nothing but that annotation. */
export function printAnnotation({ level, title, message, file, line, column }: Annotation): string {
  const place = file === undefined ? {} : { file, line, col: column };
  const properties = Object.entries({ ...place, title })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`]))
    .join(",");
  return `::${level} ${properties}::${escapeMessage(message)}\n`;
}

/** A local file's path from the checkout's root, as in the pull request; undefined for stdin. */
export function findInCheckout(file: string, { cwd, env }: Pick<Terminal, "cwd" | "env">): string | undefined {
  if (file === nameInput("-")) return undefined;
  const root = env["GITHUB_WORKSPACE"] ?? "";
  return root === "" ? file : relative(root, resolve(cwd, file));
}

/** Findings at their lines; `findPath` maps a finding's file to its path in the pull request. */
export function printFindingAnnotations(
  findings: readonly Finding[],
  findPath: (file: string) => string | undefined = (file) => file,
): string {
  return findings
    .map(({ code, severity, file, line, column, message, help }) => {
      const path = findPath(file);
      const place = path === undefined ? {} : { file: path, line, column };
      const text = help === undefined ? message : `${message}\n${help}`;
      return printAnnotation({ level: levels[severity], title: code, message: text, ...place });
    })
    .join("");
}
