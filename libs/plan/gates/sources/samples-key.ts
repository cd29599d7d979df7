/** The key of a gate's samples in `Snapshot.samples`. */
export function nameSamples(run: string, gate: string): string {
  return `${run}/${gate}`;
}
