import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { addScopeFlags, requireScopeText, type ScopeFlags } from "../../names/scope-flags.ts";
import { scopeHelp } from "../../options/parse-scope.ts";
import type { UntilOptions } from "../../options/parse-until.ts";
import { makeStopRequest, placeStop, typeStop } from "../../requests/place-stop.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { addVerbOptions, type VerbOptions } from "../../options/verb-options.ts";
import { BusDown, requireBus, withBus } from "../../read/with-bus.ts";

type Options = VerbOptions & ScopeFlags & UntilOptions;

/** `meshroll hold SCOPE`: proposes nothing in the scope; merged runs continue. */
export const define: Define = (command, { terminal }) => {
  addVerbOptions(addScopeFlags(command), "until it is recorded")
    .argument("[scope]", scopeHelp)
    .option("--for <duration>", "overdue after this time (4h, 90m); it does not expire")
    .option("--until <time>", "overdue from this time on: 16:30, or 2026-11-19T16:30+01:00")
    .action(async (text: string | undefined, options: Options) => {
      const scope = requireScopeText("hold", text, options);
      const typed = typeStop("hold", scope, options);
      makeStopRequest(typed, terminal, Date.now());
      try {
        await withBus(requireBus(options, terminal), async (bus) => placeStop(bus, typed, terminal));
      } catch (error) {
        if (!(error instanceof BusDown)) throw error;
        throw new Refusal(
          exitCodes.unavailable,
          `${error.message}\n  only the planner records holds: none can be placed without NATS`,
          [
            "what works now:  ",
            { command: "meshroll pause SCOPE" },
            "  stops moves in the clusters; do not merge meanwhile",
          ],
        );
      }
    });
};
