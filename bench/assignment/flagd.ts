import type { Logger } from "@openfeature/core";
import { FlagdCore } from "@openfeature/flagd-core";
import type { Share } from "../../libs/rollouts/source/types.ts";

const silent: Logger = { error: ignore, warn: ignore, info: ignore, debug: ignore };

function ignore(): void {
  // Formatting log messages would be measured too.
}

/** flagd's own evaluator with one flag whose `fractional` rule splits namespaces like a bucket. */
export function makeFlagd(shares: readonly Share[]): (namespace: string) => string {
  const core = new FlagdCore(undefined, silent);
  core.setConfigurations(
    JSON.stringify({
      flags: {
        revision: {
          state: "ENABLED",
          variants: Object.fromEntries(shares.map(({ revision }) => [revision, revision])),
          defaultVariant: shares[0]?.revision,
          targeting: {
            fractional: [{ var: "namespace" }, ...shares.map(({ revision, weight }) => [revision, weight])],
          },
        },
      },
    }),
  );
  return (namespace) => core.resolveStringEvaluation("revision", "", { namespace }, silent).value;
}
