/** The most that is read before signed lengths are known. */
export const limits = {
  manifestBytes: 256 * 1024,
  files: 64,
  /** All files of one artifact together: an Envoy with symbols has 0.9 GB. */
  artifactBytes: 4 * 1024 ** 3,
} as const;
