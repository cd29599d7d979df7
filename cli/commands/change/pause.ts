import { addDirectOptions, type DirectOptions } from "../../options/cluster-choice.ts";
import type { Define } from "../../terminal/command.ts";
import { addScopeFlags, requireScopeText, type ScopeFlags } from "../../names/scope-flags.ts";
import { scopeHelp } from "../../options/parse-scope.ts";
import type { UntilOptions } from "../../options/parse-until.ts";
import { pauseDirectly } from "../../requests/pause-directly.ts";
import { makeStopRequest, placeStop, typeStop } from "../../requests/place-stop.ts";
import { addVerbOptions, type VerbOptions } from "../../options/verb-options.ts";
import { BusDown, findBus, refuseNowhere, withBus } from "../../read/with-bus.ts";

type Options = VerbOptions & ScopeFlags & UntilOptions & DirectOptions;

/** `meshroll pause SCOPE`: moves nothing in the scope, by the bus, or without it by the caller's kubeconfig. */
export const define: Define = (command, { terminal }) => {
  addDirectOptions(addVerbOptions(addScopeFlags(command), "until clusters are stopped and it is recorded"))
    .argument("[scope]", scopeHelp)
    .option("--for <duration>", "overdue after this time (4h, 90m); it does not expire")
    .option("--until <time>", "overdue from this time on: 16:30, or 2026-11-19T16:30+01:00")
    .action(async (text: string | undefined, options: Options) => {
      const scope = requireScopeText("pause", text, options);
      const typed = typeStop("pause", scope, options);
      // Checked first, so that a typo is reported whatever is down.
      const offline = makeStopRequest(typed, terminal, Date.now());
      const place = findBus(options, terminal);
      if (place === undefined) {
        await pauseDirectly(offline, options, terminal, refuseNowhere());
        return;
      }
      try {
        await withBus(place, async (bus) => placeStop(bus, typed, terminal));
      } catch (error) {
        if (!(error instanceof BusDown)) throw error;
        await pauseDirectly(offline, options, terminal, error);
      }
    });
};
