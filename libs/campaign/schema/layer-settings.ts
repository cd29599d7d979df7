import type { Gate } from "../settings/gate.ts";
import type { FrameFields, PaceFields } from "./read-rules.ts";
import {
  type BatchSettings,
  builtInGates,
  type NotifyFields,
  type NotifyRule,
  type Settings,
} from "../settings/settings.ts";

/** The settings of one level: `meshroll.yml`'s defaults, a campaign, a stage. */
export type LevelFields = Partial<PaceFields & FrameFields>;

/** `maxFailures` and FailFast exclude each other: the one at the nearer level removes the other. */
function layerBatch(base: BatchSettings, read: Partial<BatchSettings> = {}): BatchSettings {
  if (read.maxFailures !== undefined) return { ...base, failurePolicy: "ContinueOnError", ...read };
  if (read.failurePolicy !== "FailFast") return { ...base, ...read };
  const { maxFailures: _, ...rest } = base;
  return { ...rest, ...read };
}

/** A rollback's batch: its own settings over the run's; settings that stop a run do not apply. */
function layerRollback(batch: BatchSettings, written: Partial<BatchSettings> = {}): BatchSettings {
  const { maxUnavailable: _, failurePolicy: __, maxFailures: ___, ...effective } = written;
  return { ...batch, ...effective };
}

/**
 * Gates add up. One of the same name at a nearer level replaces the other, and a built-in one is replaced by any of its kind,
 * so that no figure has two limits.
 */
function layerGates(base: readonly Gate[], written: readonly Gate[] = []): readonly Gate[] {
  const isKept = (gate: Gate): boolean =>
    !written.some(({ name, kind }) => name === gate.name || (builtInGates.includes(gate) && kind === gate.kind));
  return [...base.filter(isKept), ...written];
}

function layerNotify(base: NotifyRule, { slack, github }: NotifyFields = {}): NotifyRule {
  const joined = slack === undefined ? base.slack : { broadcast: [], ...base.slack, ...slack };
  return { github: { ...base.github, ...github }, ...(joined !== undefined && { slack: joined }) };
}

function layerAutoMerge(base: Settings["autoMerge"], read: PaceFields["autoMerge"] | undefined): Settings["autoMerge"] {
  if (read === undefined) return base;
  return read === false ? undefined : read;
}

type Pace = Pick<Settings, "strategy" | "deadline" | "bake" | "minWorkloads">;

function layerPace(base: Pace, read: Partial<Pace>): Pace {
  return {
    strategy: read.strategy ?? base.strategy,
    deadline: read.deadline ?? base.deadline,
    bake: read.bake ?? base.bake,
    minWorkloads: read.minWorkloads ?? base.minWorkloads,
  };
}

/**
 * One level over those further out (rules 1.4). Windows and freezes are replaced, gates add up, other fields override one by
 * one.
 */
export function layerSettings(base: Settings, read: LevelFields): Settings {
  const { autoMerge: outer, ...kept } = base;
  const batch = layerBatch(base.batch, read.batch);
  const rollbacks = { ...base.rollback.batch, ...read.rollback?.batch };
  const autoMerge = layerAutoMerge(outer, read.autoMerge);
  return {
    ...kept,
    ...layerPace(base, read),
    batch,
    onWorkloadFailure: read.onWorkloadFailure ?? base.onWorkloadFailure,
    rollbackBatch: layerRollback(batch, rollbacks),
    approvals: { ...base.approvals, ...read.approvals },
    gates: layerGates(base.gates, read.gates),
    windows: read.windows ?? base.windows,
    freezes: read.freezes ?? base.freezes,
    rollback: { ...base.rollback, ...read.rollback, ...(Object.keys(rollbacks).length > 0 && { batch: rollbacks }) },
    notify: layerNotify(base.notify, read.notify),
    ...(autoMerge !== undefined && { autoMerge }),
  };
}
