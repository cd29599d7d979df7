import { choose, readChoice } from "../../live/address.ts";

interface SelectProps {
  /** Of the choice in the address. */
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
}

/** A filter that the address holds. */
export function Select({ name, label, options }: SelectProps) {
  const chosen = readChoice(name);
  // A choice in the address stays in the list although it no longer exists.
  const all = chosen === "" || options.includes(chosen) ? options : [...options, chosen];
  return (
    <label>
      {label}
      <select value={chosen} onChange={({ currentTarget }) => choose({ [name]: currentTarget.value })}>
        <option value="">all</option>
        {all.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
}
