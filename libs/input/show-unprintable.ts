/** As in `cleanLine`, but tabs and line ends stay. */
const unprintable = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u3164\uFFA0]/gu;

function escape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/**
 * Text for a terminal in which no character does anything but show itself: what would is written as `\u001b`, the form that JSON
 * has for it, so that JSON stays the same.
 */
export function showUnprintable(text: string): string {
  return text.replace(unprintable, escape);
}
