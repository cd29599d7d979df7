/**
 * Control characters (terminal colours among them), line ends, invisible marks, marks that turn the direction of what follows,
 * fillers that show nothing, and halves of a character that no file can keep.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u3164\uFFA0]+/gu;
const suspicious = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u3164\uFFA0]| {2}/u;

/** Text of others as one line of at most `most` characters that shows what it says. Cleaning it twice changes nothing more. */
export function cleanLine(text: string, most = 300): string {
  // Nearly every text is plain and short: a status has thousands.
  if (text.length <= most && !suspicious.test(text)) return text.trim();
  // What is far too long is cut before it is looked at: a message may have a megabyte.
  const near = text.slice(0, 8 * most + 1024);
  const line = near.replace(unprintable, " ").replace(/ {2,}/g, " ").trim();
  const characters = Array.from(line);
  return characters.length <= most
    ? line
    : `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

/** As in `cleanLine`, but tabs and line ends stay. */
const unshown = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u3164\uFFA0]/gu;

function escape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/**
 * Text for a terminal in which no character does anything but show itself: what would is written as `\u001b`, the form that JSON
 * has for it, so that JSON stays the same.
 */
export function showUnprintable(text: string): string {
  return text.replace(unshown, escape);
}
