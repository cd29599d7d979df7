import { makeProject } from "./temp-project.ts";

/** One file that lint must refuse for exactly this rule, or (without `wantRule`) must accept. */
export interface LintCase {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly wantRule?: string;
}

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
}

/** Lints all files of a table in one process; returns the exit code and the complaining rules by path. */
export function lintAll(cases: readonly LintCase[]): {
  readonly code: number;
  readonly rules: ReadonlyMap<string, readonly string[]>;
} {
  const paths = new Set(cases.map((c) => c.path));
  if (paths.size !== cases.length) throw new Error("two cases share a path: one would hide the other");
  const project = makeProject(Object.fromEntries(cases.map((c) => [c.path, c.text])));
  try {
    const done = project.run("oxlint", "--type-aware", "--format", "json");
    const report = JSON.parse(done.stdout) as Report;
    const rules = new Map<string, string[]>();
    for (const { filename, code } of report.diagnostics) {
      rules.set(filename, [...(rules.get(filename) ?? []), code]);
    }
    return { code: done.code, rules };
  } finally {
    project.remove();
  }
}
