/** The marker stands first, so that a person who quotes our comment never has his own overwritten. */
export function placeMarker(marker: string, body: string): string {
  return body.startsWith(marker) ? body : `${marker}\n${body.replaceAll(marker, "").trim()}`;
}
