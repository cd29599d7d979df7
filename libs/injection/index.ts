export {
  type ControlPlane,
  type Decider,
  effectiveRevision,
  type EffectiveRevision,
  resolveTarget,
} from "./effective-revision.ts";
export { type Conflict } from "./find-conflict.ts";
export { findSite, type Site, type SiteSupport } from "./find-site.ts";
export { findStandingWrite, type StandingWrite } from "./find-standing-write.ts";
export { isRelabelledFor } from "./is-relabelled-for.ts";
export { judgeManaged, type Managed, type ManagedQuestion, type UnmanagedCode } from "./judge-managed.ts";
export { judgeRefused, type Refusal, type RefusalCode } from "./judge-refused.ts";
export { judgeTakenBack, type TakenBack } from "./judge-taken-back.ts";
export type { Marked, MoveOrder, ObjectChange, Planned } from "./object-change.ts";
export { planMove } from "./plan-move.ts";
export { planNamespaceRelabel } from "./plan-namespace-relabel.ts";
export { planNamespaceReturn, planReturn } from "./plan-return.ts";
export { planUndo } from "./plan-undo.ts";
