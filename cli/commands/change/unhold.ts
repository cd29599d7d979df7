import type { Define } from "../../terminal/command.ts";
import { defineResume } from "../../requests/define-resume.ts";

/** `meshroll unhold SCOPE`: ends holds, those that returns leave behind included. */
export const define: Define = (command, invocation) => defineResume(command, invocation, "unhold");
