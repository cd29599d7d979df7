declare const worded: unique symbol;

/**
 * A sentence for people. At run time it is a string, so that JSON carries it as it is; in the code it is opaque, so that
 * comparing, splitting or searching it does not compile. Decisions use the value that the sentence was made from.
 */
export interface Text {
  readonly [worded]: true;
}

/** Makes a text, from words of ours, of a person, another program or a record. */
export function writeText(sentence: string): Text {
  return sentence as unknown as Text;
}

/** For printers, which escape, wrap or write it. */
export function printText(text: Text): string {
  return text as unknown as string;
}
