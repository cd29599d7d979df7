export { listNamespaces } from "./list-namespaces.ts";
export type { ManifestAnswer, MutateQuestion, NamespaceFacts, Stamp } from "./labels/manifest-answer.ts";
export type { Edit } from "./labels/edit.ts";
export { applyEdits, type Mutated, mutateManifests, type MutateOptions, type Outcome } from "./mutate.ts";
export type { Malformed } from "./objects/manifest-object.ts";
export { type ManifestPiece, readManifests, type ReadManifests } from "./read-manifests.ts";
