import type { CasesOf } from "../cases.ts";
import { type Reason, type RenderedReason, renderReason } from "../reasons/reason.ts";
import { writeText } from "../text.ts";

const wordings = {
  /** All that unavailable VMs may take is taken. */
  BudgetUsed: ({ unavailable, allowed }: { readonly unavailable: number; readonly allowed: number }) =>
    `${unavailable} of its VMs are unavailable, and at most ${allowed} may be: the next one waits until one is ready`,
  /** Its VMs are spread over the deadline; until then, ISO. */
  Spread: ({ until }: { readonly until: string }) =>
    `its VMs are spread over vms.deadline: the next one is due at ${until}`,
} as const;

/** Why no further VM of a group is upgraded now. */
export type VmWait = CasesOf<typeof wordings> | { readonly code: "Held"; readonly reason: Reason };

export function renderVmWait(wait: VmWait): Pick<RenderedReason, "code" | "message"> & { readonly until?: string } {
  if (wait.code === "Held") return renderReason(wait.reason);
  const message = writeText((wordings[wait.code] as (wait: VmWait) => string)(wait));
  return { code: wait.code, message, ...(wait.code === "Spread" ? { until: wait.until } : {}) };
}
