import type { NamespaceRow, NamespaceTable } from "#libs/plan";
import { computed, useSignal } from "@preact/signals";

import { choose, keepTime, readChoice } from "../../live/address.ts";
import { table } from "../../live/namespaces.ts";
import { isWhole } from "../../live/whole.ts";
import { filterRows, readFilter, readRow, sortRows } from "../../model/namespace-view.ts";
import { linkNamespace } from "../../model/places.ts";
import { Mark } from "../../parts/mark.tsx";
import { Section } from "../../parts/section.tsx";
import { Select } from "../../parts/choices/select.tsx";
import { describeState } from "../../parts/states.ts";

const rows = computed(() => {
  const all = table.value;
  if (all === undefined) return [];
  return sortRows(filterRows(all, readFilter(readChoice)), readChoice("sort") || "movesAt");
});

/** Px. All rows have one height, so that the scroll position can be computed. */
const rowHeight = 34;
const shownRows = 18;
const spare = 8;

function Filters({ all }: { readonly all: NamespaceTable }) {
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        name
        <input
          id="filter"
          type="search"
          value={readChoice("q")}
          onInput={({ currentTarget }) => choose({ q: currentTarget.value })}
          autocomplete="off"
          spellcheck={false}
        />
      </label>
      <Select name="state" label="state" options={all.states} />
      <Select name="revision" label="runs" options={all.revisions} />
      <Select name="bucket" label="bucket" options={all.buckets.map(({ bucket }) => bucket)} />
      <Select name="cluster" label="cluster" options={all.clusters.map(({ name }) => name)} />
    </form>
  );
}

function Column({ name, label, number }: { readonly name: string; readonly label: string; readonly number?: boolean }) {
  const by = readChoice("sort") || "movesAt";
  const sort = by === name ? "ascending" : by === `-${name}` ? "descending" : "none";
  const next = by === name ? `-${name}` : name;
  return (
    <th scope="col" aria-sort={sort} class={number === true ? "number" : ""}>
      <button type="button" onClick={() => choose({ sort: next })}>
        {label}
        <span aria-hidden="true">{sort === "ascending" ? " ▲" : sort === "descending" ? " ▼" : ""}</span>
      </button>
    </th>
  );
}

function Row({ all, row, at }: { readonly all: NamespaceTable; readonly row: NamespaceRow; readonly at: number }) {
  const line = readRow(all, row);
  const { word, mark } = describeState(line.state);
  return (
    <tr aria-rowindex={at + 2}>
      <th scope="row">
        <a href={keepTime(linkNamespace(line.name))} title={line.name}>
          <bdi>{line.name}</bdi>
        </a>
      </th>
      <td>
        <Mark kind={mark} /> {word}
      </td>
      <td>
        <code>{line.actual ?? "mixed"}</code>
      </td>
      <td>
        <code>{line.requested}</code>
      </td>
      <td class="number">{line.movesAt === undefined ? "" : `${line.movesAt} %`}</td>
      <td class="number">
        {line.workloads}
        {line.unhealthy === 0 ? null : <span class="warn"> {line.unhealthy} unhealthy</span>}
      </td>
      <td>
        <bdi>{line.clusters.join(", ")}</bdi>
      </td>
    </tr>
  );
}

/** Rows out of view are replaced by their height. */
function Body({ all, first }: { readonly all: NamespaceTable; readonly first: number }) {
  const list = rows.value;
  const from = isWhole.value ? 0 : Math.max(0, Math.min(first - spare, list.length - shownRows));
  const to = isWhole.value ? list.length : Math.min(list.length, first + shownRows + spare);
  const gap = (count: number, key: string) =>
    count <= 0 ? null : <tr key={key} aria-hidden="true" style={{ height: `${count * rowHeight}px` }} />;
  return (
    <tbody>
      {gap(from, "before")}
      {list.slice(from, to).map((row, at) => (
        <Row key={row[0]} all={all} row={row} at={from + at} />
      ))}
      {gap(list.length - to, "after")}
    </tbody>
  );
}

/** All managed namespaces, by default in the order in which they move. */
export function Namespaces() {
  const first = useSignal(0);
  const all = table.value;
  if (all === undefined)
    return (
      <Section id="namespaces" title="Namespaces" note="not known yet">
        <p class="quiet">No planner has published its namespaces.</p>
      </Section>
    );
  const count = rows.value.length;
  const note = count === all.rows.length ? String(count) : `${count} of ${all.rows.length}`;
  return (
    <Section id="namespaces" title="Namespaces" note={note}>
      <Filters all={all} />
      <div
        class="scroll tall"
        role="region"
        tabIndex={0}
        aria-label="Namespaces"
        onScroll={({ currentTarget }) => void (first.value = Math.floor(currentTarget.scrollTop / rowHeight))}
      >
        <table class="rows" aria-rowcount={count + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <Column name="name" label="namespace" />
              <Column name="state" label="state" />
              <Column name="actual" label="runs" />
              <Column name="requested" label="requested" />
              <Column name="movesAt" label="moves at" number />
              <Column name="workloads" label="workloads" number />
              <th scope="col">clusters</th>
            </tr>
          </thead>
          <Body all={all} first={first.value} />
        </table>
      </div>
    </Section>
  );
}
