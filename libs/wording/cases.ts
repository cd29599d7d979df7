type FieldsOf<F> = F extends (fields: infer Fields) => unknown ? (unknown extends Fields ? object : Fields) : never;

/** The union of a table's cases: a code, and the fields that its function takes. */
export type CasesOf<T extends Readonly<Record<string, (fields: never) => unknown>>> = {
  readonly [K in keyof T & string]: { readonly code: K } & FieldsOf<T[K]>;
}[keyof T & string];
