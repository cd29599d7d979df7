import type { Define } from "./command.ts";
import { defineLift } from "./lift.ts";

/** `meshroll unhold SCOPE`: lifts holds, those that returns leave behind included. */
export const define: Define = (command, invocation) => defineLift(command, invocation, "unhold");
