import { isLoopback } from "#libs/input";

import { type Clock, systemClock } from "./clock.ts";
import { ConfigProblems, type Problem } from "../config/config-problems.ts";
import { type ClockScale, scaledClock } from "./scaled-clock.ts";

/** The variable by which the sandbox makes time run faster: `<start, epoch ms>:<factor>:<real zero, epoch ms>`. */
const clockVariable = "MESHROLL_SANDBOX_CLOCK";

function readScale(spec: string): ClockScale | undefined {
  const [startAt, factor, realZero, ...rest] = spec.split(":").map((part) => (part === "" ? Number.NaN : Number(part)));
  if (startAt === undefined || factor === undefined || realZero === undefined || rest.length > 0) return undefined;
  if (![startAt, factor, realZero].every(Number.isFinite) || factor <= 0) return undefined;
  return { startAt, factor, realZero };
}

/** The machine's clock, or the sandbox's when its variable is set. Throws `ConfigProblems` when that is malformed. */
export function openClock(spec: string | undefined): Clock {
  if (spec === undefined || spec === "") return systemClock();
  const scale = readScale(spec);
  if (scale !== undefined) return scaledClock(scale);
  const message = `"${spec}" is not <start, epoch ms>:<factor above 0>:<real zero, epoch ms>; unset it outside of the sandbox`;
  throw new ConfigProblems([{ name: clockVariable, message }]);
}

/**
 * Why a scaled clock must not be used with these API servers, or undefined: bakes and time limits would end long before a real
 * cluster's pods are ready.
 */
export function refuseScaledClock(spec: string | undefined, serverUrls: readonly string[]): Problem | undefined {
  if (spec === undefined || spec === "") return undefined;
  const real = serverUrls.filter((url) => !URL.canParse(url) || !isLoopback(new URL(url)));
  if (real.length === 0) return undefined;
  const message = `a faster clock is for the sandbox only, but ${real.join(", ")} is not on this machine; unset it`;
  return { name: clockVariable, message };
}
