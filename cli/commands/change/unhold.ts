import type { Define } from "../../terminal/command.ts";
import { defineResume } from "../../requests/define-resume.ts";

/** `meshroll unhold SCOPE`: ends holds, those of rollbacks included. */
export const define: Define = (command, invocation) => defineResume(command, invocation, "unhold");
