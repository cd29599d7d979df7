import { type ClosedCause, printDuration, type Window } from "#libs/campaign";

type WindowWords = Pick<Window, "schedule" | "duration" | "timeZone">;

function printWindow({ schedule, duration, timeZone }: WindowWords): string {
  return `"${schedule}" for ${printDuration(duration)}, ${timeZone}`;
}

/** The window or freeze that keeps a calendar closed, with its zone or its reason. */
export function explainClosed(cause: ClosedCause): string {
  switch (cause.kind) {
    case "freeze":
      return `freeze: ${cause.freeze.reason}`;
    case "insideDenied":
      return `inside the denying window ${printWindow(cause.window)}`;
    case "outsideAllowed":
      return `outside the window ${cause.windows.map(printWindow).join(", and outside ")}`;
  }
}
