import { fileURLToPath } from "node:url";

import { printComplaint } from "../guards/complaint.ts";
import { findLookups } from "./find-lookups.ts";
import { isProduct } from "./is-product.ts";

/** Prints each place that looks up a plain object by a name from outside, and fails when there is one. */
const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const complaints = findLookups(root, isProduct);
console.log(complaints.map(printComplaint).join("\n"));
process.exitCode = complaints.length === 0 ? 0 : 1;
