/** An object as the model answers it, as far as dressing it needs to know. */
export interface ServedObject {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}
