/** A recurring time in which forward runs may (`allow`) or may not (`deny`) move. Deny beats allow. */
export interface Window {
  readonly kind: "allow" | "deny";
  /** Five cron fields, as written. */
  readonly schedule: string;
  /** Ms from each start of the schedule, in wall-clock time of the zone, also across a change of daylight saving time. */
  readonly duration: number;
  /** An IANA zone. There is no default, because it would often be wrong. */
  readonly timeZone: string;
  /**
   * What a closing window does: `finishBatch` hands out no more, `finishStage` lets a run that began go on to its end, `stop`
   * patches no workload any more.
   */
  readonly atEnd: "finishBatch" | "finishStage" | "stop";
}

/** A time in which nothing moves forward. Epoch ms, `to` exclusive. */
export interface Freeze {
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

/** The freeze or window that keeps a calendar closed; of several allowing windows, that they are all closed. */
export type ClosedCause =
  | { readonly kind: "freeze"; readonly freeze: Freeze }
  | { readonly kind: "insideDenied"; readonly window: Window }
  | { readonly kind: "outsideAllowed"; readonly windows: readonly Window[] };

/** Whether forward runs may move at one moment. */
export type CalendarState =
  /** `until`: when that ends, epoch ms; absent = not within a year. */
  | { readonly kind: "open"; readonly until?: number }
  | {
      readonly kind: "closed";
      readonly cause: ClosedCause;
      /** When it opens again, epoch ms; absent = not within a year. */
      readonly until?: number;
      /** A freeze lets the batch in hand end. */
      readonly atEnd: Window["atEnd"];
    };
