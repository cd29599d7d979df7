export { repackRegularly } from "./repack-clone.ts";
export { createLedgerSelection } from "./ledger-selection.ts";
export { createRepositorySnapshots } from "./repository-snapshots.ts";
export type { RepositorySnapshots, RepositorySnapshot } from "./repository-snapshots.ts";
export { compileTexts, readSpecTexts, type SpecTexts } from "./read-spec-texts.ts";
