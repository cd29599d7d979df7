export { BoundedMemory } from "./bounded-memory.ts";
export { cleanLine, showUnprintable } from "./clean-line.ts";
export {
  isCommitId,
  isInstallationId,
  isInstant,
  isLabelName,
  isRecordId,
  isRequestId,
  isRunId,
  isStopId,
} from "./identifiers.ts";
export { isObject } from "./is-object.ts";
export { indexLines, type Lines, locateOffset, readLineEnding } from "./line-places.ts";
export { lookUp } from "./look-up.ts";
export { addressPage, isPageAddress } from "./page-address.ts";
export {
  coversOneOf,
  findNamed,
  findRunNamed,
  findScopeKind,
  findShareCluster,
  isStopScope,
  mayConcernCluster,
  type NamesByKind,
  namesOneOf,
  nameShareScope,
  type StopScope,
} from "./stop-scope.ts";
export {
  cleanName,
  completeName,
  type NamedNamespace,
  type NamedWorkload,
  namesWorkload,
  readNamespaceName,
  readNamespaceOfWorkload,
} from "./names/typed-name.ts";
export { testInstallation } from "./test-installation.ts";
export { formatVersion, readVersion, refuseFormat } from "./format.ts";
export { explainKeptToken, isLoopback, isPrivate } from "./token-place.ts";
export { explainSystemError, placeSystemError } from "./errors/system-error.ts";
export { suggestWord } from "./suggest-word.ts";
