import { istioKeys } from "#libs/fleet";
import type { ManifestReason } from "#libs/wording";

import { judgeObject, type ObjectVerdict } from "./labels/judge-object.ts";
import type { MutateQuestion, Stamp } from "./labels/manifest-answer.ts";
import type { Edit } from "./labels/edit.ts";
import { planEdits } from "./labels/plan-edits.ts";
import type { ManifestObject } from "./objects/manifest-object.ts";
import type { ManifestPiece } from "./read-manifests.ts";
import type { Written } from "./verify/expect-change.ts";
import { verifyPiece } from "./verify/verify-piece.ts";

/** The result for one workload of the input. */
export interface Outcome {
  /** Where it begins, in UTF-16 offsets of the input. */
  readonly at: number;
  readonly kind: string;
  readonly name: string;
  /** Absent = the manifest names none. */
  readonly namespace?: string;
  readonly result:
    | { readonly kind: "written"; readonly revision: string; readonly before?: string }
    | { readonly kind: "current"; readonly revision: string }
    | { readonly kind: "kept"; readonly reason: ManifestReason };
}

export interface Mutated {
  /** In order, without overlaps. Empty = the text stays as it is. */
  readonly edits: readonly Edit[];
  readonly outcomes: readonly Outcome[];
}

export interface MutateOptions extends MutateQuestion {
  /** Parses every changed document again with the YAML library. */
  readonly verify: boolean;
}

function describe(object: ManifestObject, result: Outcome["result"]): Outcome {
  const { at, kind = "", name = "", namespace } = object;
  return namespace === undefined ? { at, kind, name, result } : { at, kind, name, namespace, result };
}

function toWritten(revision: string, { mutatedAt, specCommit }: Stamp): Written {
  return { revision, mutatedAt, ...(specCommit === undefined ? {} : { specCommit }) };
}

const unclear: Outcome["result"] = { kind: "kept", reason: { code: "Unclear", why: "layout" } };

class Mutation {
  readonly #text: string;
  readonly #options: MutateOptions;
  readonly edits: Edit[] = [];
  readonly outcomes: Outcome[] = [];

  constructor(text: string, options: MutateOptions) {
    this.#text = text;
    this.#options = options;
  }

  /** One document: all of its edits are made, or none of them. */
  add(piece: ManifestPiece): void {
    const firstEdit = this.edits.length;
    const firstOutcome = this.outcomes.length;
    const written = new Map<number, Written>(); // By the object's index.
    let index = 0;
    const mustVerify = this.#options.verify || piece.reader === "tree";
    for (const object of piece.objects) {
      const revision = this.#judge(object);
      if (mustVerify && revision !== undefined) written.set(index, toWritten(revision, this.#options.stamp));
      index++;
    }
    if (written.size === 0 || this.#isVerified(piece, this.edits.slice(firstEdit), written)) return;
    this.edits.length = firstEdit;
    for (const outcome of this.outcomes.splice(firstOutcome)) {
      this.outcomes.push(outcome.result.kind === "written" ? { ...outcome, result: unclear } : outcome);
    }
  }

  /** The revision that was written. */
  #judge(object: ManifestObject): string | undefined {
    const verdict = judgeObject(object, this.#options);
    if (verdict.kind === "other") return undefined;
    const result = verdict.kind === "write" ? this.#write(object, verdict) : verdict;
    this.outcomes.push(describe(object, result));
    return result.kind === "written" ? result.revision : undefined;
  }

  #write(object: ManifestObject, { revision, target }: ObjectVerdict & { readonly kind: "write" }): Outcome["result"] {
    const edits = planEdits(this.#text, object, target, revision, this.#options.stamp);
    if (edits === undefined) return unclear;
    for (const edit of edits) this.edits.push(edit);
    const before = target.labels.get(istioKeys.revision)?.value;
    return before === undefined ? { kind: "written", revision } : { kind: "written", revision, before };
  }

  #isVerified({ start, end }: ManifestPiece, edits: readonly Edit[], written: ReadonlyMap<number, Written>): boolean {
    const moved = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    const before = this.#text.slice(start, end);
    return verifyPiece(before, applyEdits(before, moved).join(""), written);
  }
}

/** The edits after which each workload of the text carries its namespace's revision. Pure. */
export function mutateManifests(text: string, pieces: readonly ManifestPiece[], options: MutateOptions): Mutated {
  const mutation = new Mutation(text, options);
  for (const piece of pieces) mutation.add(piece);
  return mutation;
}

/** The text with its edits, in parts, so that unchanged text is not copied twice. */
export function applyEdits(text: string, edits: readonly Edit[]): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const edit of edits) {
    parts.push(text.slice(from, edit.start), edit.text);
    from = edit.end;
  }
  parts.push(text.slice(from));
  return parts;
}
