import { nameManager, nameManagerEnd } from "../managers/manager-ends.ts";
import { type Overwritten, wordOverwritten } from "../reasons/runs.ts";
import type { Choice } from "../stop-choices.ts";
import { writeText } from "../text.ts";

/** Workloads that their owners' deploys overwrote. */
export interface PutBackWords extends Overwritten {
  /** The field managers that did it; undefined: one without a name. */
  readonly managers: readonly (string | undefined)[];
  /** How many were overwritten again within a day, and by which managers. */
  readonly insisting: number;
  readonly insistingManagers: readonly string[];
}

function printInsisting({ insisting, insistingManagers }: PutBackWords): string | undefined {
  if (insisting === 0) return undefined;
  const again = insisting === 1 ? "1 of them was" : `${insisting} of them were`;
  const whose = insisting === 1 ? "its owner's" : "their owners'";
  return (
    `${again} put back a second time within a day, by ${insistingManagers.join(", ")}: not moved again until ${whose} next ` +
    "deploy, so that pods do not restart endlessly"
  );
}

/** The sentence, the command that lists them, the command that brings them back, and what ends it for each manager. */
export function renderPutBack(words: PutBackWords) {
  const insists = printInsisting(words);
  return {
    ...wordOverwritten(words),
    ...(insists === undefined ? {} : { insists }),
    managers: words.managers.map((each) => ({ manager: nameManager(each), end: nameManagerEnd(each) })),
    list: "meshroll get drift",
  };
}

/** What can be done about what differs in a namespace, safest first. */
export function listDriftWays(namespace: string): readonly Choice[] {
  return [
    {
      command: `meshroll get drift ${namespace}`,
      effect: writeText("shows why each differs, and who wrote it; changes nothing"),
    },
    {
      command: `meshroll converge namespace/${namespace} --reason "…"`,
      effect: writeText("moves workloads that differ from main to it, in batches; shows the list first"),
    },
  ];
}

interface UnmovedWords {
  readonly workloads: number;
  /** How many were taken back as a whole after `drift: converge` had moved them, and by which managers. */
  readonly undoing: number;
  readonly managers: readonly string[];
}

/** Workloads that differ from main without a write of their owner after ours. */
export function renderUnmoved({ workloads, undoing, managers }: UnmovedWords) {
  const taken = undoing === 1 ? "1 of them was" : `${undoing} of them were`;
  const insists = `${taken} reverted within a day after drift: converge, by ${managers.join(", ")}: not moved again that day`;
  const differ = workloads === 1 ? "1 workload differs" : `${workloads} workloads differ`;
  return {
    message:
      `${differ} from main, and no run moves ${workloads === 1 ? "it" : "them"}: skipped by a run that has ended, created late, ` +
      "replaced as a whole (kubectl rollout undo), in a cluster that is new or was unreachable, or older than the baseline",
    ...(undoing === 0 ? {} : { insists }),
    list: "meshroll get drift",
    command: 'meshroll converge all --reason "…"',
  };
}
