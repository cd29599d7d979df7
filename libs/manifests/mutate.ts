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

type Judged = { readonly object: ManifestObject; readonly index: number; readonly verdict: ObjectVerdict };

function describe(object: ManifestObject, result: Outcome["result"]): Outcome {
  const { at, kind = "", name = "", namespace } = object;
  return { at, kind, name, result, ...(namespace === undefined ? {} : { namespace }) };
}

function toWritten(revision: string, { mutatedAt, specCommit }: Stamp): Written {
  return { revision, mutatedAt, ...(specCommit === undefined ? {} : { specCommit }) };
}

function keepUnclear(object: ManifestObject): Outcome {
  return describe(object, { kind: "kept", reason: { code: "Unclear", why: "layout" } });
}

/** One document: all of its edits are made, or none of them. */
class PieceMutation {
  readonly #text: string;
  readonly #piece: ManifestPiece;
  readonly #options: MutateOptions;
  readonly #edits: Edit[] = [];
  readonly #written = new Map<number, Written>();
  readonly #outcomes: Outcome[] = [];

  constructor(text: string, piece: ManifestPiece, options: MutateOptions) {
    this.#text = text;
    this.#piece = piece;
    this.#options = options;
  }

  run(): Mutated {
    for (const [index, object] of this.#piece.objects.entries()) {
      this.#judge({ object, index, verdict: judgeObject(object, this.#options) });
    }
    const isSure = this.#edits.length === 0 || this.#isVerified();
    if (isSure) return { edits: this.#edits, outcomes: this.#outcomes };
    return { edits: [], outcomes: this.#piece.objects.flatMap((object, index) => this.#giveUp(object, index)) };
  }

  #giveUp(object: ManifestObject, index: number): readonly Outcome[] {
    if (this.#written.has(index)) return [keepUnclear(object)];
    return this.#outcomes.filter(({ at }) => at === object.at);
  }

  #judge({ object, index, verdict }: Judged): void {
    if (verdict.kind === "other") return;
    if (verdict.kind !== "write") {
      this.#outcomes.push(describe(object, verdict));
      return;
    }
    const { revision, target } = verdict;
    const edits = planEdits(this.#text, object, target, revision, this.#options.stamp);
    if (edits === undefined) {
      this.#outcomes.push(keepUnclear(object));
      return;
    }
    const before = target.labels.get("istio.io/rev")?.value;
    this.#edits.push(...edits);
    this.#written.set(index, toWritten(revision, this.#options.stamp));
    this.#outcomes.push(describe(object, { kind: "written", revision, ...(before === undefined ? {} : { before }) }));
  }

  #isVerified(): boolean {
    const { start, end, reader } = this.#piece;
    if (reader !== "tree" && !this.#options.verify) return true;
    const moved = this.#edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    const before = this.#text.slice(start, end);
    return verifyPiece(before, applyEdits(before, moved).join(""), this.#written);
  }
}

/** The edits after which each workload of the text carries its namespace's revision. Pure. */
export function mutateManifests(text: string, pieces: readonly ManifestPiece[], options: MutateOptions): Mutated {
  const edits: Edit[] = [];
  const outcomes: Outcome[] = [];
  for (const piece of pieces) {
    const mutated = new PieceMutation(text, piece, options).run();
    for (const edit of mutated.edits) edits.push(edit);
    for (const outcome of mutated.outcomes) outcomes.push(outcome);
  }
  return { edits, outcomes };
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
