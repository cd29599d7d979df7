import { type Overwritten, wordOverwritten } from "../reasons/runs.ts";

/** A field manager; the object may name none. */
export function nameManager(manager: string | undefined): string {
  return manager ?? "a manager without a name";
}

/** Workloads that their owners' deploys overwrote. */
export interface PutBackWords extends Overwritten {
  /** How many were overwritten again within a day, and by which manager. */
  readonly insisting: number;
  readonly managers: readonly string[];
}

function printInsisting({ insisting, managers }: PutBackWords): string | undefined {
  if (insisting === 0) return undefined;
  const again = insisting === 1 ? "1 of them was" : `${insisting} of them were`;
  return (
    `${again} put back a second time within a day, by ${managers.join(", ")}: left alone until the manifests ` +
    "name the revision, or the manager ignores /spec/template/metadata/labels/istio.io~1rev"
  );
}

/** The sentence, the command that lists them, and the command that ends it. */
export function renderPutBack(words: PutBackWords) {
  const insists = printInsisting(words);
  return {
    ...wordOverwritten(words),
    ...(insists === undefined ? {} : { insists }),
    list: "meshroll get workloads -o wide",
  };
}
