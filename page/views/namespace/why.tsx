import type { NamespaceTable } from "#libs/plan";

import { printCount } from "../../model/count.ts";
import type { NamespaceLine } from "../../model/namespace-view.ts";
import { Section } from "../../parts/section.tsx";

/** Which revision it gets and runs, and by which rule. */
export function Why({ line, all }: { readonly line: NamespaceLine; readonly all: NamespaceTable }) {
  const bucket = all.buckets.find((each) => each.bucket === line.bucket);
  const shares = bucket?.shares.map(({ revision, requested }) => `${revision} ${requested} %`).join(", ") ?? "";
  return (
    <Section id="why" title="What it runs, and why">
      <dl class="facts">
        <dt>runs</dt>
        <dd>
          <code>{line.actual ?? "several revisions"}</code>{" "}
          <span class="quiet">
            {printCount(line.workloads, "workload")} in {line.clusters.join(", ")}
            {line.unhealthy === 0 ? ", all healthy" : `, ${line.unhealthy} of them lack pods`}
          </span>
        </dd>
        <dt>requested</dt>
        <dd>
          <code>{line.requested}</code> <span class="quiet">by commit {all.head.slice(0, 12)} of main</span>
        </dd>
        <dt>bucket</dt>
        <dd>
          <code>
            <bdi>{line.bucket}</bdi>
          </code>{" "}
          <span class="quiet">
            {line.bucket === "production"
              ? "what matches no other pattern"
              : "the longest pattern that matches the name"}
            : {shares}
          </span>
        </dd>
        {line.movesAt === undefined ? null : (
          <>
            <dt>position</dt>
            <dd>
              it runs <code>{line.to}</code> when its bucket gives that revision more than <b>{line.movesAt} %</b>
            </dd>
          </>
        )}
      </dl>
    </Section>
  );
}
