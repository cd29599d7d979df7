interface Claim {
  readonly manager: string;
  readonly apiVersion: string;
  /** Values of the same shape share one set of fields: tens of thousands of objects have only a few shapes. */
  readonly shape: string;
  readonly subresource?: string;
}

const known = new Map<string, object>();

/** An entry of managedFields whose manager owns every field of the value. */
export function claimFields({ shape, ...claim }: Claim, value: object): object {
  const key = `${claim.manager} ${claim.apiVersion} ${shape}`;
  const fieldsV1 = known.get(key) ?? listFields(value);
  known.set(key, fieldsV1);
  return { ...claim, operation: "Update", time: "2026-11-02T09:14:31Z", fieldsType: "FieldsV1", fieldsV1 };
}

type FieldSet = Record<string, object>;

function listFields(value: unknown): FieldSet {
  if (typeof value !== "object" || value === null) return {};
  if (Array.isArray(value)) return Object.fromEntries(value.flatMap(nameItem));
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [`f:${key}`, listFields(field)]));
}

/** List items are named by their key field; items without one have no entry. */
function nameItem(item: unknown): [string, object][] {
  if (typeof item !== "object" || item === null) return [];
  for (const key of ["name", "mountPath", "containerPort", "type"]) {
    if (key in item) {
      const name = JSON.stringify({ [key]: (item as Record<string, unknown>)[key] });
      return [[`k:${name}`, { ".": {}, ...listFields(item) }]];
    }
  }
  return [];
}
