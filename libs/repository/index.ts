export { repackRegularly } from "./repack-clone.ts";
export { createLedgerTrust } from "./ledger-trust.ts";
export { createRepositorySnapshots } from "./repository-snapshots.ts";
export type { RepositorySnapshots, RepositorySnapshot } from "./repository-snapshots.ts";
export { compileTexts, readSpecTexts, type SpecTexts } from "./read-spec-texts.ts";
