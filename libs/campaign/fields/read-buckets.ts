import type { Span } from "#libs/rollouts";

import { defineReader, isEmptyField, type Reader, reportField } from "./field.ts";
import { readEntries, readFields } from "./read-fields.ts";
import { readDriftPolicy } from "./read-clusters.ts";
import type { DriftPolicy } from "../settings/settings.ts";

interface BucketFields {
  readonly drift: DriftPolicy;
}

/** `drift` of one bucket, with the place of the bucket's name. */
export interface BucketRead {
  readonly pattern: string;
  readonly drift: DriftPolicy;
  readonly span: Span;
}

const readBucket = readFields<BucketFields>({ drift: readDriftPolicy }, ["drift"]);

/** `buckets: {production: {drift: converge}}`; whether rollouts.yml has them says `checkBuckets`. */
export const readBuckets: Reader<readonly BucketRead[]> = defineReader(
  { type: "object", additionalProperties: readBucket.schema },
  (field) => {
    if (isEmptyField(field)) {
      return reportField(field, "is empty", "write <bucket>: { drift: converge } below it, or remove it");
    }
    return (readEntries(field) ?? []).flatMap(({ name: pattern, field: child }) => {
      const drift = readBucket(child)?.drift;
      return drift === undefined ? [] : [{ pattern, drift, span: child.key }];
    });
  },
);
