import { fileURLToPath } from "node:url";

import { printComplaint } from "../guards/complaint.ts";
import { findLookups } from "./find-lookups.ts";
import { isProduct } from "./is-product.ts";

/** No plain object is asked by a name from outside: prints each place that does, and fails. */
const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const complaints = findLookups(root, isProduct);
console.log(complaints.map(printComplaint).join("\n"));
process.exitCode = complaints.length === 0 ? 0 : 1;
