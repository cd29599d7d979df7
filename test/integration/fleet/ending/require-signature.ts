import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { audit, describeViolations } from "../../../auditor/audit.ts";
import type { Evidence } from "../../../auditor/evidence/evidence.ts";

/** Fails when the auditor finds a violation in what was recorded, and keeps the evidence in `folder`. */
export function requireSignature(evidence: Evidence, folder: string): void {
  const found = describeViolations(audit(evidence).violations);
  if (found.length === 0) return;
  writeFileSync(join(folder, "evidence.json"), JSON.stringify(evidence, undefined, 1));
  throw new Error(`the auditor does not sign; its evidence is in ${folder}\n${found.join("\n")}`);
}
