import { revisionPattern } from "./check-buckets.ts";

/**
 * `rollouts.yml` as JSON Schema (draft-07), for editors. Sums of percentages, RE2 patterns and number-like names can only be
 * checked by `meshroll validate`.
 */
export const rolloutsSchema = {
  type: "object",
  required: ["production"],
  propertyNames: { description: "a regular expression of RE2, for whole names", maxLength: 256, pattern: "^[!-~]+$" },
  additionalProperties: {
    description: "revisions, with whole percentages that add up to 100",
    type: "object",
    minProperties: 1,
    propertyNames: { maxLength: 63, pattern: revisionPattern },
    additionalProperties: { type: "integer", minimum: 0, maximum: 100 },
  },
} as const;
