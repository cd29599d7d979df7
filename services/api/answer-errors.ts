import { type Logger, redactSecrets } from "#libs/runtime";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** The body of every answer that is no success. */
export interface ErrorBody {
  /** One word, for programs. */
  readonly error: string;
  readonly message: string;
  readonly requestId: string;
}

/** Ends a request with an error; `message` is for people and holds nothing that the request brought. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  error: string,
  message: string,
): FastifyReply {
  const body: ErrorBody = { error, message: redactSecrets(message), requestId: request.id };
  return reply.code(status).type("application/json; charset=utf-8").send(body);
}

const words: Readonly<Record<number, readonly [string, string]>> = {
  413: ["TooLarge", "the body is larger than is read here"],
  415: ["UnsupportedMediaType", "the body must be application/json or application/x-www-form-urlencoded"],
};

/** Answers faults of handlers and of the framework, and requests for what is not here, in one shape. */
export function answerErrors(app: FastifyInstance, log: Logger): void {
  app.setNotFoundHandler((request, reply) =>
    sendError(request, reply, 404, "NotFound", "there is nothing here; docs/reference/http-api.md lists what is"),
  );
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) {
      const [word, message] = words[status] ?? ["BadRequest", "the request cannot be read"];
      return sendError(request, reply, status, word, message);
    }
    // What went wrong is for the log: the answer goes to whoever asked.
    log.error({ error, requestId: request.id, route: request.routeOptions.url }, "a request failed");
    return sendError(
      request,
      reply,
      500,
      "Internal",
      "the request failed; the log has the reason under this requestId",
    );
  });
}
