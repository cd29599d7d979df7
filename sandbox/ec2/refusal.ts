/** An answer of EC2 that is an error; codes as in its reference, "Error codes for the Amazon EC2 API". */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const throttled = new Refusal(503, "RequestLimitExceeded", "Request limit exceeded.");
