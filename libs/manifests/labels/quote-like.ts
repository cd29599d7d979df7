import type { Scalar } from "../objects/manifest-object.ts";

/** The value in the quotes that stand there now; always in some, because `1-24` or `1.20` alone may be no text. */
export function quoteLike(text: string, { start, end }: Scalar, value: string): string {
  const quote = text.charCodeAt(start) === 39 ? "'" : '"';
  // An empty value begins right behind the colon.
  const gap = start === end && text.charCodeAt(start - 1) === 58 ? " " : "";
  return `${gap}${quote}${value}${quote}`;
}
