import type { Snapshot, Spec } from "../records/index.ts";

/** The spec of main's head, or of the last commit that parsed; undefined while neither is known. */
export function findNewestSpec({ specs, main, ledger }: Pick<Snapshot, "specs" | "main" | "ledger">): Spec | undefined {
  return specs.get(main.head) ?? specs.get(ledger?.judged ?? "");
}
