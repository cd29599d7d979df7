import type { Scalar } from "../objects/manifest-object.ts";

/** The value with the quotes of the present one. Always quoted, because an unquoted `1.20` may be a number. */
export function quoteLike(text: string, { start, end }: Scalar, value: string): string {
  const quote = text.charCodeAt(start) === 39 ? "'" : '"';
  // An empty value begins directly after the colon.
  const gap = start === end && text.charCodeAt(start - 1) === 58 ? " " : "";
  return `${gap}${quote}${value}${quote}`;
}
