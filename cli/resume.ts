import type { Define } from "./command.ts";
import { defineLift } from "./lift.ts";

/** `meshroll resume SCOPE`: lifts what keeps it from moving. What failed stays aside. */
export const define: Define = (command, invocation) => defineLift(command, invocation, "resume");
