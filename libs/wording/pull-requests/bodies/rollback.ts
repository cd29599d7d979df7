import type { Share } from "#libs/rollouts";

import { code, escapeCell, fitTitle } from "../../markdown/cells.ts";
import { nameCancel, nameResume, type ResumableStop } from "../../resume-command.ts";
import { type PullText, writePull } from "../pull-text.ts";

/** A bucket that is rolled back; `undefined`: the file does not have it. */
interface BucketWords {
  readonly pattern: string;
  readonly now: readonly Share[] | undefined;
  readonly old: readonly Share[] | undefined;
}

/** The content of a rollback's pull request. */
export interface RollbackWords {
  readonly run: { readonly id: string; readonly subject: string; readonly author: string };
  /** The commit to roll back to. */
  readonly to: string;
  /** Who requested it, when and why. */
  readonly stop: ResumableStop & {
    readonly who: string;
    readonly at: string;
    readonly why: string;
    readonly now?: boolean;
  };
  readonly buckets: readonly BucketWords[];
  /** How many of so many managed namespaces move, with how many workloads. */
  readonly namespaces: number;
  readonly moves: number;
  readonly workloads: number;
}

function printShares(shares: readonly Share[] | undefined): string {
  if (shares === undefined) return "not in the file";
  return shares
    .filter(({ weight }) => weight > 0)
    .map(({ revision, weight }) => `${revision} ${weight} %`)
    .join(", ");
}

function printTitle({ run, stop, buckets }: RollbackWords): string {
  const [first] = buckets;
  const more = buckets.length > 1 ? ` and ${buckets.length - 1} more` : "";
  const where = `${first?.pattern ?? ""} back to ${printShares(first?.old)}${more}`;
  return fitTitle(`rollback(${run.id}): ${where}: ${stop.why}`);
}

function printHolds({ buckets, run }: RollbackWords): string {
  const holds = buckets.map(({ pattern }) =>
    nameResume({ id: "", scope: `bucket/${pattern}`, strength: "move", rollbackOf: run.id }),
  );
  return holds.map((command) => `\`${command}\``).join(", ");
}

/** Title and body of that pull request. */
export function renderRollbackPull(words: RollbackWords): PullText {
  const { run, to, stop, buckets, namespaces, moves, workloads } = words;
  const rows = buckets.map(({ pattern, now, old }) => {
    return `| ${code(pattern)} | ${printShares(now)} | ${printShares(old)} |`;
  });
  const begun = stop.now === true ? " They are rolled back already, before this is merged (`--now`)." : "";
  const body = [
    `Rolls back run ${code(run.id)} (${escapeCell(run.subject)}, by ${escapeCell(run.author)}) ` +
      `to main at ${code(to.slice(0, 12))}.`,
    `Asked by **${escapeCell(stop.who)}** at ${stop.at}: ${escapeCell(stop.why)}`,
    ["| bucket | now | rolled back to |", "|---|---|---|", ...rows].join("\n"),
    `Moves ${moves} of ${namespaces} managed namespaces: ${workloads} workloads.${begun}`,
    "### What happens",
    [
      "- **Now:** it needs 0 approvals, and nothing holds it. meshroll merges it when `meshroll/plan` and `meshroll/approvals` are green.",
      "- **Then:** its workloads are rolled back in batches; windows, freezes and bakes are ignored.",
      `- **Afterwards:** the buckets stay on hold until a person ends it: ${printHolds(words)}`,
      `- **Cancel this rollback:** close it. It is not opened again, and \`${nameCancel(stop)}\` ends the rollback.`,
    ].join("\n"),
  ].join("\n\n");
  return writePull(printTitle(words), body);
}
