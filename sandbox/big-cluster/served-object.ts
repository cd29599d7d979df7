/** An object in the model's answer. */
export interface ServedObject {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}
