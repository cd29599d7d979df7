import type { GateMoment } from "#libs/campaign";

import { isBaked } from "../bake.ts";
import { settingsOf } from "../run-settings.ts";
import { countLeft, hasBegun, type RunView } from "../run-view.ts";
import type { Spec } from "../world.ts";

/** Is a run where a gate of this moment is asked? */
export function isGateTime(when: GateMoment, head: Spec, view: RunView): boolean {
  switch (when) {
    case "before":
      return !hasBegun(view) && countLeft(view).left > 0;
    case "during":
      return hasBegun(view);
    case "after":
      return hasBegun(view) && countLeft(view).left === 0 && isBaked(view.run, settingsOf(head, view.run));
  }
}
