import { isInstallationId } from "#libs/input";
import { z } from "zod";

/** The variable that says which installation a process serves: its buckets, subjects and queues have no others' names. */
export const installationVariable = {
  MESHROLL_INSTALLATION: z
    .string("the id that meshroll init printed (again: meshroll init --dry-run)")
    .refine(isInstallationId, "is not an id of meshroll init: a small letter and 11 of a-z and 0-9"),
};
