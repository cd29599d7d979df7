import type { Define } from "../../terminal/command.ts";
import { defineResume } from "../../requests/define-resume.ts";

/** `meshroll resume SCOPE`: ends what stops it. Failed workloads stay skipped. */
export const define: Define = (command, invocation) => defineResume(command, invocation, "resume");
