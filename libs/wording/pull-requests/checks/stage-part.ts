import { code, escapeCell } from "../../markdown/cells.ts";
import { type Reason, renderReason } from "../../reasons/reason.ts";
import { printText } from "../../text.ts";
import { type EvidenceWords, type LostEvidence, summariseEvidence } from "../evidence.ts";

/** A campaign's note on a pull request. */
export type StageNote =
  /** It is on the branch of a stage; the evidence of the stage before. */
  | {
      readonly kind: "stage";
      readonly stage: string;
      readonly campaign: string;
      readonly evidence: EvidenceWords | LostEvidence | undefined;
    }
  /** Its run will belong to a campaign, from whatever branch. */
  | { readonly kind: "belongs"; readonly stage: string; readonly campaign: string };

/** Why it must not be merged now, although it is valid. */
export type StageObstacle =
  | { readonly kind: "waits"; readonly reason: Reason }
  | { readonly kind: "reached" | "later"; readonly stage: string }
  | { readonly kind: "shared"; readonly campaigns: readonly string[] };

export function printStageNote(note: StageNote): string {
  const { stage, campaign } = note;
  if (note.kind === "belongs")
    return `Its run belongs to campaign ${code(campaign)} and has the settings of stage ${code(stage)}.`;
  return `Stage ${code(stage)} of campaign ${code(campaign)}. ${summariseEvidence(note.evidence, campaign)}`;
}

interface Printed {
  readonly title: string;
  readonly text: string;
}

function renderWait(reason: Reason): Printed {
  const { code: id, message: said, owner, command } = renderReason(reason);
  const message = printText(said);
  const fix = command === undefined ? "" : `\n\nTo continue: \`${command}\``;
  const text = `${escapeCell(message)}.\n\nOwner: **${escapeCell(owner)}**${fix}`;
  return { title: id === "StageHeld" ? `held by ${owner}: ${message}` : message, text };
}

export function renderStageObstacle(obstacle: StageObstacle): Printed {
  switch (obstacle.kind) {
    case "waits":
      return renderWait(obstacle.reason);
    case "reached": {
      const title = `main has reached stage ${obstacle.stage}`;
      return { title, text: title };
    }
    case "later": {
      const title = `stage ${obstacle.stage} comes first`;
      return { title, text: title };
    }
    case "shared": {
      const { campaigns } = obstacle;
      const names = campaigns.map(code).join(", ");
      return {
        title: `it changes buckets of campaigns ${campaigns.join(" and ")}: a run moves for one campaign only`,
        text: `Make one pull request for each of ${names}. Merged as it is, it would move nothing forward.`,
      };
    }
  }
}
