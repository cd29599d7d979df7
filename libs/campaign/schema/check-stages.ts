import type { Problem } from "#libs/rollouts";

import type { SetEntry, StageRead } from "./read-stage.ts";

/** MR2002 and MR2009: a stage's name becomes part of branches, records and commands. */
function checkNames(stages: readonly StageRead[]): readonly Problem[] {
  return stages.flatMap(({ name, nameSpan }, index) => {
    const first = stages.findIndex((stage) => stage.name === name);
    if (first < index) return [refuseTwice(name, nameSpan, stages[first])];
    // The branch of a stage's second pull request ends in `-2`.
    const base = /^(.*)-([1-9]\d*)$/u.exec(name);
    const isBranch = base !== null && Number(base[2]) > 1 && stages.some((stage) => stage.name === base[1]);
    if (!isBranch) return [];
    const message = `\`${name}\` is what the branch of \`${base[1]}\` is called when it is proposed again`;
    return [{ code: "MR2009", span: nameSpan, message, help: "name one of the two differently" }];
  });
}

function refuseTwice(name: string, span: Problem["span"], first: StageRead | undefined): Problem {
  const related = first === undefined ? [] : [{ span: first.nameSpan, message: "first written here" }];
  const message = `a stage named \`${name}\` exists already`;
  return { code: "MR2002", span, message, related, help: "give each stage its own name" };
}

interface Step extends SetEntry {
  readonly stage: StageRead;
}

function listSteps(stages: readonly StageRead[]): ReadonlyMap<string, readonly Step[]> {
  const steps = new Map<string, Step[]>();
  for (const stage of stages) {
    for (const entry of stage.set) {
      const list = steps.get(entry.pattern);
      if (list === undefined) steps.set(entry.pattern, [{ ...entry, stage }]);
      else list.push({ ...entry, stage });
    }
  }
  return steps;
}

/** MR2001: a stage with a smaller share than an earlier one would be reached at once, or move namespaces back. */
function checkFall(pattern: string, steps: readonly Step[]): readonly Problem[] {
  return steps.flatMap(({ share, span }, index): readonly Problem[] => {
    const higher = steps.slice(0, index).findLast((step) => step.share > share);
    if (higher === undefined) return [];
    const message = `\`${pattern}\` falls from ${higher.share} to ${share}: a campaign only goes forward`;
    const related = [{ span: higher.span, message: `${higher.share} in ${higher.stage.name}` }];
    return [
      {
        code: "MR2001",
        span,
        message,
        related,
        help: "put the smaller share first; `meshroll rollback` takes a share back",
      },
    ];
  });
}

/** MR2004: a ramp that ends below 100 % is reported, because it needs a reason. */
function checkEnd(pattern: string, steps: readonly Step[]): readonly Problem[] {
  const last = steps.at(-1);
  if (last === undefined || last.share === 100 || last.stage.description !== undefined) return [];
  const message = `\`${pattern}\` ends at ${last.share}: the rest stays on the old revision for good`;
  const help = `add a stage that sets it to 100, or say why in the \`description\` of ${last.stage.name}`;
  return [{ code: "MR2004", severity: "warning", span: last.span, message, help }];
}

/** Checks between the stages of one campaign. */
export function checkStages(stages: readonly StageRead[]): readonly Problem[] {
  const steps = [...listSteps(stages)];
  return [
    ...checkNames(stages),
    ...steps.flatMap(([pattern, list]) => [...checkFall(pattern, list), ...checkEnd(pattern, list)]),
  ];
}
