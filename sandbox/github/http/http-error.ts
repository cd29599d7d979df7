type ErrorList = readonly (string | Readonly<Record<string, unknown>>)[];

/** An error answer, in GitHub's words. */
export class HttpError extends Error {
  readonly status: number;
  /** Most operations list objects, a few list strings. */
  readonly errors: ErrorList | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, errors?: ErrorList, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }
}

/** A 422 as GitHub words it, with the reason where clients read it. */
export function refuseValidation(resource: string, message: string): HttpError {
  return new HttpError(422, "Validation Failed", [{ resource, code: "custom", message }]);
}

export function requireFound<T>(value: T | undefined): T {
  if (value === undefined) throw new HttpError(404, "Not Found");
  return value;
}
