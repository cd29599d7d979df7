import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { audit, describeViolations } from "../../../auditor/audit.ts";
import type { Evidence } from "../../../auditor/evidence/evidence.ts";

/** The auditor judges what was recorded, and must find nothing; else the evidence is kept in `folder`. */
export function requireSignature(evidence: Evidence, folder: string): void {
  const found = describeViolations(audit(evidence).violations);
  if (found.length === 0) return;
  writeFileSync(join(folder, "evidence.json"), JSON.stringify(evidence, undefined, 1));
  throw new Error(`the auditor does not sign; its evidence is in ${folder}\n${found.join("\n")}`);
}
