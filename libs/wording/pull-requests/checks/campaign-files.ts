import { code, escapeCell } from "../../markdown/cells.ts";
import { printNumber, printTable } from "../../markdown/tables.ts";

/** The effect of one stage, after those before it. */
export type StageOutcome =
  | { readonly kind: "reached" }
  /** `why` absent: there is no finding about it. */
  | { readonly kind: "impossible"; readonly why?: string }
  /** Namespaces of the present fleet; a stage with 0 is not proposed. */
  | { readonly kind: "moves"; readonly count: number };

/** The effect of a changed campaign file. */
export type CampaignFileWords = { readonly file: string } & (
  | { readonly kind: "none" }
  /** The campaign that it contained. */
  | { readonly kind: "ends"; readonly campaign: string }
  | {
      readonly kind: "begins" | "goesOn";
      readonly campaign: string;
      readonly target: string;
      readonly replaces: readonly string[];
      readonly stages: readonly {
        readonly name: string;
        readonly isNext: boolean;
        /** Whole percent by pattern. */
        readonly set: Readonly<Record<string, number>>;
        readonly outcome: StageOutcome;
      }[];
    }
);

function printOutcome(outcome: StageOutcome): string {
  switch (outcome.kind) {
    case "reached":
      return "reached";
    case "impossible":
      return `cannot be proposed: ${outcome.why ?? "its shares cannot be raised"}`;
    case "moves":
      return outcome.count === 0
        ? "**no workload**: it will not be proposed, raise its percentage or remove it"
        : printNumber(outcome.count);
  }
}

function printSet(set: Readonly<Record<string, number>>): string {
  return Object.entries(set)
    .map(([pattern, share]) => `${code(pattern)} ${share} %`)
    .join(", ");
}

export function printCampaignFile(words: CampaignFileWords): string {
  const file = code(words.file);
  switch (words.kind) {
    case "none":
      return `${file}: It is not an unfinished campaign.`;
    case "ends":
      return `${file}: ${code(words.campaign)} proposes nothing any more.`;
    case "begins":
    case "goesOn": {
      const verb = words.kind === "begins" ? "begins" : "continues";
      const rows = words.stages.map(({ name, isNext, set, outcome }) => {
        return [isNext ? `${code(name)} (next)` : code(name), printSet(set), escapeCell(printOutcome(outcome))];
      });
      const replaced = words.replaces.map(code).join(", ");
      const head = `${file}: ${code(words.campaign)} ${verb} to ${code(words.target)}, in place of ${replaced}.`;
      return `${head}\n\n${printTable(["stage", "sets", "namespaces that move"], rows)}`;
    }
  }
}
