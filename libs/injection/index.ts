export {
  type ControlPlane,
  type Decider,
  effectiveRevision,
  type EffectiveRevision,
  resolveTarget,
} from "./effective-revision.ts";
export { type Conflict } from "./find-conflict.ts";
export { findSite, type Site, type SiteSupport } from "./find-site.ts";
export { findOwnWrite, type OwnWrite } from "./find-own-write.ts";
export { isRelabelledFor } from "./is-relabelled-for.ts";
export { judgeManaged, type Managed, type ManagedQuestion, type UnmanagedCode } from "./judge-managed.ts";
export { judgeRefused, type Refusal, type RefusalCode } from "./judge-refused.ts";
export { judgeOverwritten, type Overwritten } from "./judge-overwritten.ts";
export type { AnnotatedObject, MoveOrder, ObjectChange, Planned } from "./object-change.ts";
export { planMove } from "./plan-move.ts";
export { planNamespaceRelabel } from "./plan-namespace-relabel.ts";
export { planNamespaceRollback, planRollback } from "./plan-rollback.ts";
export { planUndo } from "./plan-undo.ts";
