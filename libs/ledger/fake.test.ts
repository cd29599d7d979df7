import { describeLedger } from "./conformance.ts";
import { createFakeLedgerBranch } from "./fake.ts";

describeLedger("a branch in memory", async () => {
  const branch = createFakeLedgerBranch();
  return { open: async () => branch, messages: async () => branch.messages() };
});
