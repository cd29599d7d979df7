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
 * Why something is done or not: a stable code in CamelCase, the fields of its sentence, and `until`, the ISO time at which it
 * ends by itself. To add one, add an entry to a table of this folder.
 */
export type Reason = ReasonIn<typeof wordings>;

export type ReasonCode = Reason["code"];

/** Reasons with these codes. */
export type ReasonOf<C extends ReasonCode> = Extract<Reason, { readonly code: C }>;

/** A reason as people and other programs read it. */
export interface RenderedReason {
  readonly code: string;
  /** What and why, one sentence without a full stop. */
  readonly message: Text;
  /** Who can change it. */
  readonly owner: string;
  /** ISO time at which it ends by itself, when it does. */
  readonly until?: string;
  /** For how long it has been so. It is no part of the sentence, which would change all the time. */
  readonly ageSeconds?: number;
  /** The command to type, when there is one. */
  readonly command?: string;
  /** Where there are several possible actions: the safest first, which is `command`. */
  readonly choices?: readonly Choice[];
}

/** The only place where a reason becomes a sentence. */
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

/** The part of a reason in a record or a status: programs use the code, people read the message. */
export type ReasonWords = Pick<RenderedReason, "code" | "message">;

export function renderReasonWords(reason: Reason): ReasonWords {
  const { code, message } = renderReason(reason);
  return { code, message };
}

/** @internal Every code. */
export function listReasonCodes(): readonly string[] {
  return Object.keys(wordings);
}
