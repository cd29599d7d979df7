declare const worded: unique symbol;

/**
 * A sentence that a person reads. It is a string when the program runs, so that JSON carries it as it is; in the code it is
 * opaque: to compare it with another text, to split it or to search in it does not compile. What a decision needs is the value
 * that the sentence was made from.
 */
export interface Text {
  readonly [worded]: true;
}

/** Words of ours, or those of a person, another program or a record. */
export function writeText(sentence: string): Text {
  return sentence as unknown as Text;
}

/** For printers: what is escaped, wrapped, or written to a terminal, a message, a log or a record. */
export function printText(text: Text): string {
  return text as unknown as string;
}
