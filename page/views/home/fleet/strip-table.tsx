import { cellKinds } from "../../../drawing/cell-kind.ts";
import { describeGoal, nameKind } from "../../../drawing/describe-bucket.ts";
import type { Strip } from "../../../drawing/strips.ts";
import { FilterLink } from "../../../parts/choices/filter-link.tsx";

interface StripTableProps {
  readonly strips: readonly Strip[];
  readonly by: Strip["by"];
}

/** The picture as numbers: a row for each strip, also for those that are not drawn. */
export function StripTable({ strips, by }: StripTableProps) {
  return (
    <details class="twin">
      <summary>The picture as a table</summary>
      <div class="scroll tall" role="region" tabIndex={0} aria-label="The picture as a table">
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">{by}</th>
              <th scope="col">main requests</th>
              {cellKinds.map((kind) => (
                <th key={kind} scope="col" class="number">
                  {nameKind(kind)}
                </th>
              ))}
              <th scope="col" class="number">
                lack pods
              </th>
              <th scope="col" class="number">
                namespaces
              </th>
            </tr>
          </thead>
          <tbody>
            {strips.map((strip) => (
              <tr key={strip.name}>
                <th scope="row">
                  <FilterLink choices={{ [by]: strip.name }}>
                    <bdi>{strip.name}</bdi>
                  </FilterLink>
                </th>
                <td>{describeGoal(strip) ?? <span class="quiet">no revision grows</span>}</td>
                {cellKinds.map((kind) => (
                  <Count key={kind} count={strip.kinds.get(kind) ?? 0} />
                ))}
                <Count count={strip.lacking} />
                <td class="number">{strip.cells.length}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Count({ count }: { readonly count: number }) {
  return <td class={count === 0 ? "number none" : "number"}>{count}</td>;
}
