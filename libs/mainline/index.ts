export { keepCloneSmall } from "./keep-clone-small.ts";
export { createLedgerTrust } from "./ledger-trust.ts";
export { createMainline } from "./mainline.ts";
export { readSigners } from "./signing/read-signers.ts";
export type { Mainline, MainlineView } from "./mainline.ts";
export { compileTexts, readSpecTexts, type SpecTexts } from "./read-spec-texts.ts";
