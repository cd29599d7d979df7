/**
 * Kinds of change that are not made. A string is either a word of a union, where the compiler refuses another one, or a
 * sentence for people, which golden tests pin where it matters: neither tells anything about the rules.
 */
export const leftOut: readonly string[] = ["StringLiteral"];
