/** A call that Slack refuses: `ok: false` with this word; `details` go into `response_metadata.messages`. */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly details: readonly string[];

  constructor(word: string, details: readonly string[] = []) {
    super(word);
    this.details = details;
  }
}
