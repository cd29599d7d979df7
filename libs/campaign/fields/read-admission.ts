import { annotate } from "./field.ts";
import { readFields } from "./read-fields.ts";
import { readDuration } from "./readers.ts";

/** Settings for pods that are admitted. */
export interface AdmissionFields {
  readonly minDeploymentAge: number;
}

/** `admission: {minDeploymentAge: 14d}`: without it no pod is changed at admission. */
export const readAdmission = annotate(
  readFields<AdmissionFields>({
    minDeploymentAge: annotate(
      readDuration(0),
      "How long after its owner's last deploy a workload's new pods keep the revision label of their manifest.",
      "14d",
    ),
  }),
  "New pods of old manifests get the revision of their namespace when they are admitted, from Kubernetes 1.36 on.",
);
