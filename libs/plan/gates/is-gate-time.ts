import type { GateMoment } from "#libs/campaign";

import { isBaked } from "../conditions/index.ts";
import { settingsOf } from "../main/index.ts";
import { countLeft, hasBegun, type RunView } from "../index/index.ts";
import type { Spec } from "../records/index.ts";

/** Whether the run is at the moment of this gate. */
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
