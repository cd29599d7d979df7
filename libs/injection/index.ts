export {
  type ControlPlane,
  type Decider,
  effectiveRevision,
  type EffectiveRevision,
  isInjectionOff,
  isServed,
  labelledRevision,
  readTag,
  resolveTarget,
} from "./sites/effective-revision.ts";
export { type Conflict } from "./sites/find-conflict.ts";
export { findSite, type Site, type SiteSupport } from "./sites/find-site.ts";
export { findOwnWrite, isRelabelledFor, type OwnWrite } from "./writes/find-own-write.ts";
export { isGatewayTemplate, judgeManaged, type Managed, type ManagedQuestion } from "./judging/judge-managed.ts";
export { findPinnedProxy, foreseePinnedProxy, type PinnedProxy } from "./judging/find-pinned-proxy.ts";
export { judgeRefused, type Refusal } from "./judging/judge-refused.ts";
export { judgeOverwritten, type Overwritten } from "./writes/judge-overwritten.ts";
export type { AnnotatedObject, MoveOrder, ObjectChange, Planned } from "./writes/object-change.ts";
export { planArrivalMark } from "./patches/plan-arrival-mark.ts";
export { findLead } from "./patches/apply-change.ts";
export { listRevisionUsers, type RevisionUsers, type UsedCluster } from "./users/list-users.ts";
export { listTouched, type Touched } from "./users/list-touched.ts";
export { planMove } from "./patches/plan-move.ts";
export { planNamespaceRelabel } from "./patches/plan-namespace-relabel.ts";
export { planNamespaceRollback, planRollback } from "./patches/plan-rollback.ts";
export { planUndo } from "./patches/plan-undo.ts";
