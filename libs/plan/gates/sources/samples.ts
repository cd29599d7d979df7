/** The key of `World.samples`. */
export function nameSamples(run: string, gate: string): string {
  return `${run}/${gate}`;
}
