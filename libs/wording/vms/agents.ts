import { cleanLine } from "#libs/input";

import { type ArtifactRefusal, renderArtifactRefusal } from "./artifacts.ts";
import type { CasesOf } from "../cases.ts";
import { printText, type Text, writeText } from "../text.ts";

const failures = {
  ProxyDied: "its proxy ended by itself",
  ProxyNotReady: "its proxy did not become ready in time",
  RulesFailed: "its iptables rules could not be changed",
  StartFailed: "its proxy could not be started",
} as const;

/** Why a revision that was installed is not kept. */
export type SwitchFailure = keyof typeof failures;

interface OfRevision {
  readonly revision: string;
}

/** What an agent does or waits for. */
const wordings = {
  UpToDate: ({ revision }: OfRevision) => `runs ${revision}, as its tag says`,
  Installing: ({ revision }: OfRevision) => `${revision} is being installed`,
  /** Switched, and not yet ready for long enough. */
  Settling: ({ revision }: OfRevision) => `${revision} was started, and has to stay ready before it is kept`,
  GoingBack: ({ revision, failure }: OfRevision & { readonly failure: SwitchFailure }) =>
    `goes back to ${revision}, because the newer revision did not work: ${failures[failure]}`,
  TagUnset: () => "has no tag: nothing is changed",
  TagUnknown: ({ why }: { readonly why: string }) =>
    `its tag cannot be read: ${cleanLine(why, 200)}; nothing is changed`,
  StoreUnavailable: ({ why }: { readonly why: string }) => `the artifact store is not reached: ${cleanLine(why, 200)}`,
  ArtifactRefused: ({ refusal }: { readonly refusal: ArtifactRefusal }) => printText(renderArtifactRefusal(refusal)),
  /** It failed here before: only another artifact or revision is tried. */
  Quarantined: ({ revision, failure }: OfRevision & { readonly failure: SwitchFailure }) =>
    `${revision} was tried and given up: ${failures[failure]}; build it again, or tag another revision`,
  AgentTooOld: ({ revision, needs, has }: OfRevision & { readonly needs: string; readonly has: string }) =>
    `${revision} needs an agent of version ${needs}, and this is ${has}`,
  FloorNotMet: ({ revision, after }: OfRevision & { readonly after: readonly string[] }) =>
    `${revision} follows ${after.join(" or ")}, which this VM never ran: tag that one first`,
  /** Not the artifact's fault: nothing is switched or taken back. */
  ControlPlaneSilent: ({ address }: { readonly address: string }) => `the control plane ${address} does not answer`,
  ClockWentBack: () => "this machine's clock was set back: expiry cannot be checked, so nothing is installed",
  DiskFull: ({ needs, free }: { readonly needs: number; readonly free: number }) =>
    `the disk has ${Math.floor(free / 1024 ** 2)} MiB free, and ${Math.ceil(needs / 1024 ** 2)} MiB are needed`,
  DiskFault: ({ why }: { readonly why: string }) => `the disk cannot be written: ${cleanLine(why, 200)}`,
  /** Neither the newer revision nor the one before it runs. */
  NothingRuns: ({ failure }: { readonly failure: SwitchFailure }) =>
    `no revision runs: ${failures[failure]}, and so did the one before; tag another revision`,
};

/** What an agent does, or why it does nothing. */
export type AgentReason = CasesOf<typeof wordings>;

export function renderAgentReason(reason: AgentReason): Text {
  return writeText((wordings[reason.code] as (reason: AgentReason) => string)(reason));
}
