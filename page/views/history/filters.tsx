import type { LedgerLine } from "#libs/events";

import { choose, readChoice } from "../../live/address.ts";
import { periods } from "../../model/history-query.ts";

interface TextProps {
  readonly name: string;
  readonly label: string;
  /** Takes each letter, not only a finished word. */
  readonly live?: boolean;
  readonly list?: string;
  readonly hint?: string;
}

function Text({ name, label, live = false, list, hint }: TextProps) {
  const take = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    choose({ [name]: currentTarget.value, limit: "" });
  return (
    <label>
      {label}
      <input
        type="search"
        value={readChoice(name)}
        {...(live ? { onInput: take } : { onChange: take })}
        {...(list === undefined ? {} : { list })}
        {...(hint === undefined ? {} : { placeholder: hint })}
        autocomplete="off"
        spellcheck={false}
      />
    </label>
  );
}

/** The filters of the history; all of them are in the address. */
export function Filters({ entries }: { readonly entries: readonly LedgerLine[] }) {
  const actors = new Set(entries.flatMap(({ actor }) => actor ?? []));
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <Text name="q" label="words" live />
      <Text name="subject" label="about" hint="run/ID or a campaign" />
      <Text name="actor" label="who" list="actors" />
      <datalist id="actors">
        {[...actors].toSorted().map((actor) => (
          <option key={actor} value={actor} />
        ))}
      </datalist>
      <label>
        in the last
        <select
          value={readChoice("since")}
          onChange={({ currentTarget }) => choose({ since: currentTarget.value, limit: "" })}
        >
          {periods.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      </label>
    </form>
  );
}
