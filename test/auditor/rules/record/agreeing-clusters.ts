import type { AuditedCluster, AuditedStatus, AuditedWrite } from "../../evidence/evidence.ts";
import { isDone } from "../../reading/writes/hands.ts";
import { listChanged, stateFields } from "../../reading/writes/object-state.ts";
import { replayWrites } from "../../reading/writes/replay.ts";
import type { Finder } from "../rule.ts";

/** Every value that a patch sets, by its place; the resourceVersion in it is a condition and sets nothing. */
function listLeaves(value: unknown, place = ""): readonly (readonly [place: string, value: string])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[place, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, each]) =>
    place === "/metadata" && key === "resourceVersion" ? [] : listLeaves(each, `${place}/${key}`),
  );
}

/** Some place has two values. */
function differ(one: AuditedWrite, other: AuditedWrite): boolean {
  const values = new Map(listLeaves(one.body));
  return listLeaves(other.body).some(([place, value]) => (values.get(place) ?? value) !== value);
}

/** Writes that changed something which the auditor follows. */
function listChanging(cluster: AuditedCluster): ReadonlySet<AuditedWrite> {
  const all = replayWrites(cluster).writes;
  const changing = all.filter(({ was, is }) =>
    stateFields.some((field) => listChanged(was[field], is[field]).length > 0),
  );
  return new Set(changing.map(({ write }) => write));
}

function isPatched(write: AuditedWrite): boolean {
  return isDone(write) && write.version > 0 && write.verb === "patch";
}

/** The server gives an object a new resourceVersion whenever it changes, and at no other time: under one number a patch changes nothing. */
function judgeVersions(cluster: AuditedCluster, found: Finder): void {
  const changing = listChanging(cluster);
  const newest = new Map<string, AuditedWrite>();
  for (const write of cluster.writes.filter(isPatched)) {
    const { path, version } = write;
    const last = newest.get(path);
    newest.set(path, write);
    found.judge();
    if (last === undefined || last.version < version) continue;
    if (last.version > version)
      found.refuse(cluster.name, path, `it was written at ${version}, after it was at ${last.version}`);
    else if (differ(last, write) || changing.has(write))
      found.refuse(cluster.name, path, `it was changed twice under resourceVersion ${version}`);
  }
}

interface Turn {
  readonly path: string;
  readonly version: number;
  readonly kind: "went" | "came" | "written";
}

const order: readonly Turn["kind"][] = ["went", "came", "written"];

/** What came, went and was written, in the order of the API server. */
function listTurns({ created, deleted, writes }: AuditedCluster): readonly Turn[] {
  const turns = [
    ...created.map(({ path, version }) => ({ path, version, kind: "came" as const })),
    ...deleted.map(({ path, version }) => ({ path, version, kind: "went" as const })),
    ...writes.filter(isPatched).map(({ path, version }) => ({ path, version, kind: "written" as const })),
  ];
  return turns.toSorted((a, b) => a.version - b.version || order.indexOf(a.kind) - order.indexOf(b.kind));
}

/** Of the objects that the evidence follows: what is there cannot come, and what is gone can neither go nor be written. */
function judgeLives(cluster: AuditedCluster, found: Finder): void {
  const isThere = new Map(cluster.before.map(({ path }) => [path, true]));
  for (const { path, version, kind } of listTurns(cluster)) {
    const was = isThere.get(path);
    if (kind !== "written") isThere.set(path, kind === "came");
    if (was === undefined) continue;
    found.judge();
    if (kind === "came" && was) found.refuse(cluster.name, path, `it came at ${version}, and was there already`);
    if (kind !== "came" && !was) found.refuse(cluster.name, path, `it ${describe(kind)} at ${version}, and was gone`);
  }
}

function describe(kind: Turn["kind"]): string {
  return kind === "written" ? "was written" : "went";
}

function judgeStatuses({ name, statuses }: AuditedCluster, found: Finder): void {
  const told = new Map<string, AuditedStatus>();
  for (const status of statuses) {
    const { path, version, settled, available } = status;
    found.judge();
    if (settled && !available) found.refuse(name, path, `at ${version} it had settled, and lacked pods`);
    const other = told.get(`${path} ${version}`);
    told.set(`${path} ${version}`, status);
    if (other !== undefined && (other.settled !== settled || other.available !== available))
      found.refuse(name, path, `its status at ${version} is told in two ways`);
  }
}

/** One cluster's record, held against itself. */
export function judgeClusterAgrees(cluster: AuditedCluster, found: Finder): void {
  judgeVersions(cluster, found);
  judgeLives(cluster, found);
  judgeStatuses(cluster, found);
}
