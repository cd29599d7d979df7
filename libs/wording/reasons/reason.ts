import type { Choice } from "../stop-choices.ts";
import { type Text, writeText } from "../text.ts";
import { batchReasons } from "./batches.ts";
import { clusterReasons } from "./clusters.ts";
import { ledgerDoubtReasons } from "./ledger-doubts.ts";
import { permitReasons } from "./permits.ts";
import { pullRequestReasons } from "./pull-requests.ts";
import { repositoryReasons } from "./repository.ts";
import { rollbackReasons } from "./rollbacks.ts";
import { runReasons } from "./runs.ts";
import { serviceReasons } from "./services.ts";
import { stageReasons } from "./stages.ts";
import type { ReasonIn, Wording } from "./wording.ts";

const wordings = {
  ...repositoryReasons,
  ...ledgerDoubtReasons,
  ...clusterReasons,
  ...batchReasons,
  ...permitReasons,
  ...runReasons,
  ...stageReasons,
  ...rollbackReasons,
  ...pullRequestReasons,
  ...serviceReasons,
};

/**
 * Why something is, or is not, done: a code for machines (CamelCase, stable), what its sentence needs as fields, and `until`, the ISO
 * time at which it ends by itself. A new one is an entry in a table of this folder.
 */
export type Reason = ReasonIn<typeof wordings>;

export type ReasonCode = Reason["code"];

/** Reasons with these codes. */
export type ReasonOf<C extends ReasonCode> = Extract<Reason, { readonly code: C }>;

/** A reason as people and programs outside of meshroll read it. */
export interface RenderedReason {
  readonly code: string;
  /** What and why, one sentence without a full stop. */
  readonly message: Text;
  /** Who can change it. */
  readonly owner: string;
  /** ISO time at which it ends by itself, when it does. */
  readonly until?: string;
  /** For how long what it says has been so, as of now: no part of the sentence, which would be another one at each look. */
  readonly ageSeconds?: number;
  /** The command to type next, when there is one. */
  readonly command?: string;
  /** Where more than one thing can be done: the safest first, which is `command`. */
  readonly choices?: readonly Choice[];
}

/** The one place that turns a reason into words. */
export function renderReason(reason: Reason): RenderedReason {
  const { code, until } = reason;
  const word = wordings[code] as (reason: Reason) => Wording;
  const { message, owner, ageSeconds, command, choices } = word(reason);
  return {
    code,
    message: writeText(message),
    owner,
    ...(until === undefined ? {} : { until }),
    ...(ageSeconds === undefined ? {} : { ageSeconds }),
    ...(command === undefined ? {} : { command }),
    ...(choices === undefined ? {} : { choices }),
  };
}

/** What a record or a status keeps of a reason: programs use the code, people read the message. */
export type ReasonWords = Pick<RenderedReason, "code" | "message">;

export function renderReasonWords(reason: Reason): ReasonWords {
  const { code, message } = renderReason(reason);
  return { code, message };
}

/** @internal Every code. */
export function listReasonCodes(): readonly string[] {
  return Object.keys(wordings);
}
