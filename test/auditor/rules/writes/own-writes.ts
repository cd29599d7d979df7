import type { AuditedWrite } from "../../evidence/evidence.ts";
import { groupPath, standIns } from "../../evidence/vm-groups.ts";
import { workloadPath } from "../../evidence/workload-path.ts";
import { digPart, type Part } from "../../reading/files/dig.ts";
import { isOurs, ourManager, ourUser, recordManager } from "../../reading/writes/hands.ts";
import { type Finder, makeRule } from "../rule.ts";

const runAnnotation = /^[0-9a-f]{12} \S+(?: UnhealthyBefore)?(?: #[1-9]\d*)?$/u;
const failureAnnotation =
  /^\S+ [A-Za-z]+ \d{4}-\d\d-\d\dT[0-9:.]+Z(?: [A-Za-z]+ \S+)?(?: \{"code":"[A-Za-z]+".{1,2000}\})?$/u;
const token = /^[^\s#]+(?:#[1-9]\d*)?$/u;
const revision = /^\S+$/u;

type Check = (value: unknown) => boolean;

const isText =
  (pattern: RegExp): Check =>
  (value) =>
    value === null || (typeof value === "string" && pattern.test(value));

const isJson: Check = (value) => value === null || (typeof value === "string" && value.startsWith("{"));

/** The shape of a patch: which keys are allowed where, and their types. */
interface Shape {
  readonly [key: string]: Shape | Check;
}

const marks: Shape = {
  "meshroll.dev/run": isText(runAnnotation),
  "meshroll.dev/previous": isJson,
  "meshroll.dev/failed": isText(failureAnnotation),
};
const resourceVersion: Check = (value) => typeof value === "string" && /^\d+$/u.test(value);

const workloadPatch: Shape = {
  metadata: { resourceVersion, annotations: marks },
  spec: {
    template: {
      metadata: {
        labels: { "istio.io/rev": isText(revision) },
        annotations: { "meshroll.dev/restarted-for": isText(token) },
      },
    },
  },
};
/** Of a WorkloadGroup annotations stand for the template, and its own template is its owner's. */
const groupPatch: Shape = {
  metadata: {
    resourceVersion,
    annotations: {
      ...marks,
      [standIns.labels.annotation]: isText(revision),
      [standIns.annotations.annotation]: isText(token),
    },
  },
};
/** The patch that says a move is through: the annotation of its run again, and nothing else. */
const arrivalPatch: Shape = {
  metadata: { resourceVersion, annotations: { "meshroll.dev/arrived": isText(runAnnotation) } },
};
const namespacePatch: Shape = {
  metadata: {
    resourceVersion,
    annotations: marks,
    labels: { "istio.io/rev": isText(revision), "istio-injection": isText(revision) },
  },
};
const is =
  (wanted: string): Check =>
  (value) =>
    value === wanted;
const isEntries: Check = (value) =>
  Object.values(digPart(value)).every((entry) => entry === null || typeof entry === "string");
const stopsMap = "meshroll-recorded-stops";
const claimMap = "meshroll-installation";
const ownNamespace = "meshroll-system";

interface Allowed {
  readonly verb: string;
  readonly path: RegExp;
  readonly shape: Shape;
  /** True where the patch must name the resourceVersion that it was decided on. */
  readonly isGuarded: boolean;
}

/** All requests that meshroll ever sends. */
const allowed: readonly Allowed[] = [
  { verb: "patch", path: workloadPath, shape: workloadPatch, isGuarded: true },
  { verb: "patch", path: workloadPath, shape: arrivalPatch, isGuarded: true },
  { verb: "patch", path: groupPath, shape: groupPatch, isGuarded: true },
  { verb: "patch", path: groupPath, shape: arrivalPatch, isGuarded: true },
  { verb: "patch", path: /^\/api\/v1\/namespaces\/[^/]+$/u, shape: namespacePatch, isGuarded: true },
  {
    verb: "patch",
    path: /^\/api\/v1\/namespaces\/meshroll-system\/configmaps\/meshroll-recorded-stops$/u,
    shape: { data: isEntries },
    isGuarded: false,
  },
  {
    verb: "create",
    path: /^\/api\/v1\/namespaces\/meshroll-system\/configmaps$/u,
    shape: { apiVersion: is("v1"), kind: is("ConfigMap"), metadata: { name: is(stopsMap) }, data: isEntries },
    isGuarded: false,
  },
  {
    verb: "create",
    path: /^\/api\/v1\/namespaces\/meshroll-system\/configmaps$/u,
    shape: {
      apiVersion: is("v1"),
      kind: is("ConfigMap"),
      metadata: { name: is(claimMap) },
      data: { id: isText(/^[a-z][a-z0-9]{11}$/u) },
    },
    isGuarded: false,
  },
  {
    verb: "create",
    path: /^\/api\/v1\/namespaces$/u,
    shape: { apiVersion: is("v1"), kind: is("Namespace"), metadata: { name: is(ownNamespace) } },
    isGuarded: false,
  },
];

/** Places of a body that its shape does not allow. */
function listForeign(body: unknown, shape: Shape, place = ""): readonly string[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return [place === "" ? "the body" : place];
  return Object.entries(body as Part).flatMap(([key, value]) => {
    const at = place === "" ? key : `${place}.${key}`;
    const wanted = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (wanted === undefined) return [at];
    if (typeof wanted !== "function") return listForeign(value, wanted, at);
    return wanted(value) ? [] : [`${at} = ${JSON.stringify(value)}`];
  });
}

function judgeFields(cluster: string, write: AuditedWrite, found: Finder): void {
  const { verb, path, contentType, body } = write;
  const forms = allowed.filter((each) => each.verb === verb && each.path.test(path));
  const form = forms.find(({ shape }) => listForeign(body, shape).length === 0) ?? forms[0];
  if (form === undefined) {
    found.refuse(cluster, path, `meshroll sent ${verb}, which it has no business to`);
    return;
  }
  if (verb === "patch" && contentType !== "application/merge-patch+json")
    found.refuse(cluster, path, `a patch as ${contentType ?? "nothing"}, meshroll sends merge patches only`);
  const foreign = listForeign(body, form.shape);
  if (foreign.length > 0) found.refuse(cluster, path, `writes what is not meshroll's: ${foreign.join(", ")}`);
  if (form.isGuarded && digPart(body, "metadata")["resourceVersion"] === undefined)
    found.refuse(cluster, path, "names no resourceVersion: it may overwrite what was not read");
}

/** Only our labels and annotations, by verbs that we use. An attempt that the server refused counts too. */
export const ownFieldsOnly = makeRule("ownFieldsOnly", (evidence, found) => {
  for (const { name, writes } of evidence.clusters) {
    for (const write of writes.filter(isOurs)) {
      found.judge();
      judgeFields(name, write, found);
    }
  }
});

/** True when a patch sets our annotation. */
function setsMark({ body }: AuditedWrite): boolean {
  return typeof digPart(body, "metadata", "annotations")["meshroll.dev/run"] === "string";
}

/** The field manager that must have written it: records have their own. */
function chooseManager({ body }: AuditedWrite): string {
  const isRecord = digPart(body, "metadata", "annotations")["meshroll.dev/arrived"] !== undefined;
  return isRecord && listForeign(body, arrivalPatch).length === 0 ? recordManager : ourManager;
}

/** Our account uses only our field manager, and the field manager is used only by our account; only we set our annotation. */
export const ownHandsOnly = makeRule("ownHandsOnly", (evidence, found) => {
  for (const { name, writes } of evidence.clusters) {
    for (const write of writes) {
      const { user, fieldManager, path } = write;
      if (!isOurs(write) && !setsMark(write)) continue;
      found.judge();
      const manager = chooseManager(write);
      if (user === ourUser && fieldManager === manager) continue;
      found.refuse(name, path, `written by ${user} as field manager ${fieldManager}, not by ${ourUser} as ${manager}`);
    }
  }
});
