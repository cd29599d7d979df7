import { hideCredentials, redacted } from "./credential-shapes.ts";

/** Shorter ones would eat ordinary words; no secret should be so short. */
const shortestSecret = 6;

/** What stays the same of a value in base64, whatever stands before and behind it (`user:TOKEN` in a Basic header). */
function encodeShifted(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((shift) => {
    const padded = Buffer.concat([Buffer.alloc(shift), bytes]);
    const whole = padded.subarray(0, padded.length - (padded.length % 3));
    const firstOwnDigit = Math.ceil((shift * 8) / 6);
    return [whole.toString("base64").slice(firstOwnDigit), whole.toString("base64url").slice(firstOwnDigit)];
  });
}

function listForms(secret: string): readonly string[] {
  // A key of many lines may be printed line by line.
  const lines = secret.includes("\n") ? secret.split(/\r?\n/).filter((line) => !line.startsWith("-----")) : [];
  const base64 = Buffer.from(secret).toString("base64");
  const plain = [secret, ...lines, base64, ...encodeShifted(secret), encodeURIComponent(secret)];
  // The sink holds JSON, where quotes, backslashes and line ends are escaped.
  return [...plain, ...plain.map((form) => JSON.stringify(form).slice(1, -1))];
}

/** Text -> the same without the secrets, as they are, in base64 and URL-encoded, and without what has a credential's shape. */
export function createRedactor(secrets: () => Iterable<string>): (text: string) => string {
  let forms: readonly string[] = [];
  let before: readonly string[] | undefined;
  return (text) => {
    const all = [...secrets()];
    // Also where one took the place of another, as tokens that end do.
    if (all.length !== before?.length || all.some((secret, index) => secret !== before?.[index])) {
      before = all;
      const long = new Set(all.flatMap(listForms).filter((form) => form.length >= shortestSecret));
      // The longest first: a form may stand inside another one, and its rest would be left over.
      forms = [...long].toSorted((one, other) => other.length - one.length);
    }
    return hideCredentials(forms.reduce((rest, form) => rest.replaceAll(form, redacted), text));
  };
}
