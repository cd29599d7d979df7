import { istioKeys } from "#libs/fleet";

import { type Role, roles } from "./roles.ts";
import type { ManifestObject, MapName, MapPlace, Scalar, Unclear } from "./manifest-object.ts";

const mapNames: ReadonlyMap<Role, MapName> = new Map<Role, MapName>([
  [roles.metadata, "metadata"],
  [roles.annotations, "annotations"],
  [roles.labels, "objectLabels"],
  [roles.template, "template"],
  [roles.jobsTemplate, "template"],
  [roles.templateMetadata, "templateMetadata"],
  [roles.templateLabels, "templateLabels"],
]);

/** True in YAML 1.1 or 1.2; manifests use either. */
const isTrue = /^(?:true|yes|y|on)$/i;

/** Shared by the many objects without any. */
const noScalars: ReadonlyMap<string, Scalar> = new Map();

/** An object that is being read; readers add what they find, by role. */
export class ObjectDraft implements ManifestObject {
  readonly at: number;
  apiVersion?: string;
  kind?: string;
  name?: string;
  namespace?: string;
  templateBelow?: "spec" | "jobTemplate";
  hostNetwork = false;
  selectorRevision?: string;
  hasRevisionExpression = false;
  unclear?: { readonly at: number; readonly why: Unclear };
  readonly maps: Record<MapName, MapPlace | undefined> = {
    metadata: undefined,
    annotations: undefined,
    objectLabels: undefined,
    template: undefined,
    templateMetadata: undefined,
    templateLabels: undefined,
  };
  #annotations: Map<string, Scalar> | undefined;
  #labels: Map<string, Scalar> | undefined;
  #templateLabels: Map<string, Scalar> | undefined;
  #templateAnnotations: Map<string, Scalar> | undefined;
  /** A bit for each role. */
  #met = 0;

  constructor(at: number) {
    this.at = at;
  }

  get annotations(): ReadonlyMap<string, Scalar> {
    return this.#annotations ?? noScalars;
  }

  get labels(): ReadonlyMap<string, Scalar> {
    return this.#labels ?? noScalars;
  }

  get templateLabels(): ReadonlyMap<string, Scalar> {
    return this.#templateLabels ?? noScalars;
  }

  get templateAnnotations(): ReadonlyMap<string, Scalar> {
    return this.#templateAnnotations ?? noScalars;
  }

  /** A role that occurs twice makes the object unclear. */
  meet(role: Role, at: number): void {
    const bit = 1 << role;
    if ((this.#met & bit) !== 0) this.doubt("duplicateKey", at);
    this.#met |= bit;
  }

  doubt(why: Unclear, at: number): void {
    this.unclear ??= { at, why };
  }

  noteMap(role: Role, place: MapPlace): void {
    const name = mapNames.get(role);
    if (name !== undefined) this.maps[name] = place;
    if (role === roles.template || role === roles.jobsTemplate) this.#noteTemplate(role, place);
  }

  #noteTemplate(role: Role, { at }: MapPlace): void {
    if (this.templateBelow !== undefined && role === roles.jobsTemplate) this.doubt("duplicateKey", at);
    this.templateBelow = role === roles.template ? "spec" : "jobTemplate";
  }

  /** Labels decide only for a Namespace and a Pod. Of other objects they are not kept, because there are many. */
  ignores(role: Role): boolean {
    return role === roles.label && this.kind !== undefined && this.kind !== "Namespace" && this.kind !== "Pod";
  }

  noteScalar(role: Role, key: string, scalar: Scalar): void {
    if (this.ignores(role)) return;
    const keyed = this.#findKeyed(role);
    if (keyed !== undefined) {
      if (keyed.has(key)) this.doubt("duplicateKey", scalar.start);
      keyed.set(key, scalar);
      return;
    }
    // The only one of which an object has several.
    if (role === roles.expressionKey) this.hasRevisionExpression ||= scalar.value === istioKeys.revision;
    else this.meet(role, scalar.start);
    this.#noteSingle(role, scalar.value);
  }

  #findKeyed(role: Role): Map<string, Scalar> | undefined {
    switch (role) {
      case roles.annotation:
        return (this.#annotations ??= new Map());
      case roles.label:
        return (this.#labels ??= new Map());
      case roles.templateLabel:
        return (this.#templateLabels ??= new Map());
      case roles.templateAnnotation:
        return (this.#templateAnnotations ??= new Map());
      default:
        return undefined;
    }
  }

  #noteSingle(role: Role, value: string): void {
    switch (role) {
      case roles.apiVersion:
        this.apiVersion = value;
        return;
      case roles.kind:
        this.kind = value;
        return;
      case roles.name:
        this.name = value;
        return;
      case roles.namespace:
        this.namespace = value;
        return;
      case roles.hostNetwork:
        this.hostNetwork = isTrue.test(value);
        return;
      case roles.selectorRevision:
        this.selectorRevision = value;
        return;
      default:
    }
  }
}
