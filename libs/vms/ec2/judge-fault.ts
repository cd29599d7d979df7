import { isObject } from "#libs/input";
import { cleanText } from "#libs/runtime";

/** What a failed call of EC2 means. */
export type Ec2Fault =
  | { readonly kind: "gone" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "unavailable"; readonly why: string };

const gone: ReadonlySet<string> = new Set(["InvalidInstanceID.NotFound", "InvalidInstanceID.Malformed", "InvalidID"]);
const unauthorized: ReadonlySet<string> = new Set(["UnauthorizedOperation", "AccessDenied", "AccessDeniedException"]);
/** Answers of the 400 series after which the same call works later. */
const passing = /Throttl|LimitExceeded$|TooManyRequests|PriorRequestNotComplete|ConcurrentTagAccess|RequestTimeout/u;
/** Of `…LimitExceeded` these do not pass. */
const lasting: ReadonlySet<string> = new Set(["TagLimitExceeded"]);

function readText(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: "Error", message: cleanText(String(error)) };
  // What follows is a secret text of a kilobyte that only AWS decodes.
  const [message = ""] = error.message.split("Encoded authorization failure message");
  return { code: error.name, message: cleanText(message) };
}

/** EC2 answered that the request is wrong, and would again. */
function isClientFault(error: unknown): boolean {
  return isObject(error) && error["$fault"] === "client";
}

function explainSetup(code: string, message: string): string | undefined {
  if (code === "CredentialsProviderError")
    return `there are no AWS credentials (${message}): give the executor an IAM role, docs/how-to/vms-on-ec2.md`;
  if (message.includes("Region is missing")) return "the AWS region is not set: set AWS_REGION for the executor";
  return undefined;
}

/** `action` as IAM names it: `ec2:CreateTags`. */
export function judgeEc2Fault(error: unknown, action: string): Ec2Fault {
  const { code, message } = readText(error);
  if (gone.has(code)) return { kind: "gone" };
  const setup = explainSetup(code, message);
  if (setup !== undefined) return { kind: "refused", why: setup };
  if (unauthorized.has(code)) {
    const why = `the executor's IAM role lacks the right ${action}: add it as in docs/how-to/vms-on-ec2.md (${code}: ${message})`;
    return { kind: "refused", why };
  }
  const why = `${action}: ${code}: ${message}`;
  const isPassing = passing.test(code) && !lasting.has(code);
  return isClientFault(error) && !isPassing ? { kind: "refused", why } : { kind: "unavailable", why };
}
