import type { FleetStatus } from "#libs/plan";

/** Something that happened, for people: from the stream, or said by the demo itself. */
export interface Note {
  /** ISO time of the clusters. */
  readonly at: string;
  readonly text: string;
}

/** All that the picture is drawn from. */
export interface PictureFacts {
  /** What the planner last published; absent while it has said nothing. */
  readonly status: FleetStatus | undefined;
  /** Oldest first. */
  readonly notes: readonly Note[];
  /** What a person may type now, most useful first. */
  readonly next: readonly Step[];
}

/** A command that works against the running demo, and what it is for. */
export interface Step {
  readonly what: string;
  readonly command: string;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}
