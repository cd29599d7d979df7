/** Puts the marker first; a comment that quotes ours does not begin with it, so it is never taken for ours. */
export function placeMarker(marker: string, body: string): string {
  return body.startsWith(marker) ? body : `${marker}\n${body.replaceAll(marker, "").trim()}`;
}
