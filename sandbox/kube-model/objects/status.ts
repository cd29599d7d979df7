import type { ApiResponse } from "./messages.ts";

/** A failure as the API server words it: kind Status. */
export function answerStatus(code: number, reason: string, message: string, retryAfterSeconds?: number): ApiResponse {
  return {
    status: code,
    body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

export function answerNotFound(resource: string, name: string): ApiResponse {
  return answerStatus(404, "NotFound", `${resource} "${name}" not found`);
}

export function answerExpired(message: string): ApiResponse {
  return answerStatus(410, "Expired", message);
}
