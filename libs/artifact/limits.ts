/** What is read at most, before anything is known of what is served. A signed length is exact, and these are above it. */
export const limits = {
  manifestBytes: 256 * 1024,
  files: 64,
  /** Of all files of one artifact: an Envoy with its symbols has 0.9 GB. */
  artifactBytes: 4 * 1024 ** 3,
} as const;
