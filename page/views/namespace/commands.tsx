import type { MoveOutlook } from "../../model/move-outlook.ts";
import type { NamespaceLine } from "../../model/namespace-view.ts";
import { Command } from "../../parts/command.tsx";
import { Section } from "../../parts/section.tsx";

/** What its owner can type: to stay, to go back, to opt out, or to look closer. */
export function Commands({ line, outlook }: { readonly line: NamespaceLine; readonly outlook: MoveOutlook }) {
  const { name, actual, requested, to } = line;
  const runs = actual ?? requested;
  const before = runs === to ? outlook.campaign?.replaces[0] : undefined;
  const ways = [
    {
      command: `meshroll pin ${name} ${runs} --for 7d --reason "…"`,
      effect: `stays on ${runs} for a week, by a pull request`,
    },
    ...(before === undefined
      ? []
      : [
          {
            command: `meshroll pin ${name} ${before} --for 7d --reason "…"`,
            effect: `goes back to ${before} for a week, by a pull request`,
          },
        ]),
    {
      command: `kubectl annotate namespace ${name} meshroll.dev/opt-out="…"`,
      effect: "opts out of every run, until the annotation is removed",
    },
    {
      command: `meshroll hold namespace/${name} --reason "…"`,
      effect: "holds its next move, until the hold is ended",
    },
    { command: `meshroll explain ${name}`, effect: "says all this in a terminal, workload by workload" },
  ];
  return (
    <Section id="opt-out" title="What its owner can do">
      <ul class="plain ways">
        {ways.map(({ command, effect }) => (
          <li key={command}>
            <span>{effect}</span> <Command text={command} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
