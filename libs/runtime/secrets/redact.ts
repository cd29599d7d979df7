import { hideCredentials, redacted } from "./credential-shapes.ts";

/** Shorter secrets would also replace parts of ordinary words. */
const shortestSecret = 6;

/** The part of the value's base64 that does not depend on the text around it (`user:TOKEN` in a Basic header). */
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
  // A key of several lines may be printed line by line.
  const lines = secret.includes("\n") ? secret.split(/\r?\n/).filter((line) => !line.startsWith("-----")) : [];
  const base64 = Buffer.from(secret).toString("base64");
  const plain = [secret, ...lines, base64, ...encodeShifted(secret), encodeURIComponent(secret)];
  // Log lines are JSON, where quotes, backslashes and line ends are escaped.
  return [...plain, ...plain.map((form) => JSON.stringify(form).slice(1, -1))];
}

/**
 * Returns a function that replaces these secrets in a text, plain, in base64 and URL-encoded, and everything with the shape of
 * a credential.
 */
export function createRedactor(secrets: () => Iterable<string>): (text: string) => string {
  let forms: readonly string[] = [];
  let before: readonly string[] | undefined;
  return (text) => {
    const all = [...secrets()];
    // Compared one by one, because a new expiring token may have replaced an old one.
    if (all.length !== before?.length || all.some((secret, index) => secret !== before?.[index])) {
      before = all;
      const long = new Set(all.flatMap(listForms).filter((form) => form.length >= shortestSecret));
      // The longest first: a form may contain another one, and the rest of it would stay visible.
      forms = [...long].toSorted((one, other) => other.length - one.length);
    }
    return hideCredentials(forms.reduce((rest, form) => rest.replaceAll(form, redacted), text));
  };
}
