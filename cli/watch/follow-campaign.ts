import type { FleetStatus } from "#libs/plan";

import { sayCommand } from "../terminal/called-as.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { findCampaignStatus } from "../files/find-campaign.ts";
import { sayText, sayTime } from "../show/status/print-answers.ts";
import { chooseReading, type ReadingOptions, type Reading } from "../options/reading-options.ts";
import { isLive, openScreen, type Screen } from "./screen.ts";
import { readStatus, type StatusOptions } from "../read/status-source.ts";
import { say, type Terminal, write } from "../terminal/terminal.ts";
import { createPainter } from "./watch-painter.ts";
import { nameState, rest } from "./watch-status.ts";
import { listTransitions, type Watched } from "./watch-transitions.ts";
import { BusDown } from "../read/with-bus.ts";
import { wrapSentences } from "../text/wrap-text.ts";
import { indentSentence, type Sentence } from "../terminal/sentence.ts";

export interface FollowOptions extends StatusOptions, ReadingOptions {
  readonly output: "human" | "json";
}

/** What ends the following, and with which exit code. */
export interface Following {
  /** Absent = the fleet, which does not end. */
  readonly campaign?: string;
  /** The end, if this status shows it; `isLive`: a person watches on a terminal. */
  readonly judge: (watched: Watched, isLive: boolean) => FollowEnd | undefined;
  /** Real ms after which it ends with 8. */
  readonly timeoutMs?: number;
}

export interface FollowEnd {
  readonly code: number;
  /** For people, on stderr. */
  readonly why?: Sentence;
}

/** Printed when a person stops watching, which does not affect the rollout. */
const goesOn = "stopped watching: the rollout continues";

/** In a pipe: changes, one line each with its time; or one object for each change. */
async function printChange(
  { stdout }: Terminal,
  output: FollowOptions["output"],
  before: Watched | undefined,
  after: Watched,
  reading: Reading,
): Promise<void> {
  if (output === "json") {
    const [old, now] = [before, after].map((each) => each?.campaign ?? each?.status);
    if (old !== undefined && now !== undefined && nameState(old) === nameState(now)) return;
    await write(stdout, `${JSON.stringify(now)}\n`);
    return;
  }
  const lines = listTransitions(before, after, (iso) => sayTime(iso, reading)).map(({ text, command }) => {
    const typed = command === undefined ? "" : `  ${sayCommand(command, reading.terminal)}`;
    return sayText(`${sayTime(after.status.at, reading)}  ${text}${typed}`, reading);
  });
  if (lines.length > 0) await write(stdout, `${lines.join("\n")}\n`);
}

/** A campaign that disappears was archived, and is over. */
function pick(status: FleetStatus, name: string | undefined, before: Watched | undefined): Watched | "archived" {
  if (name === undefined) return { status };
  const wasListed = before?.campaign !== undefined;
  const isListed = status.campaigns?.some((each) => each.name === before?.campaign?.name) ?? false;
  return wasListed && !isListed ? "archived" : { status, campaign: findCampaignStatus(status, name) };
}

/** Reads the status again and again; once there was an answer, an outage of the bus ends nothing. */
function createReader(options: FollowOptions, terminal: Terminal): () => Promise<FleetStatus | undefined> {
  let hasAnswered = false;
  let isDown = false;
  return async () => {
    try {
      const status = await readStatus(options, terminal);
      hasAnswered = true;
      isDown = false;
      return status;
    } catch (error) {
      if (!hasAnswered || !(error instanceof BusDown)) throw error;
      if (!isDown && !isLive(terminal)) say(terminal.stderr, `! ${error.message}; still waiting\n`);
      isDown = true;
      return undefined;
    }
  };
}

/** Shows one status: as a picture, or as its changes. */
type Show = (before: Watched | undefined, after: Watched) => Promise<void>;

interface Step {
  readonly watched: Watched | undefined;
  readonly end?: FollowEnd | undefined;
}

/** Shows and judges one status. Without an answer of the bus nothing changes. */
async function showAndJudge(
  { campaign, judge }: Following,
  status: FleetStatus | undefined,
  before: Watched | undefined,
  show: Show,
  isLiveNow: boolean,
): Promise<Step> {
  if (status === undefined) return { watched: before };
  const watched = pick(status, campaign, before);
  if (watched === "archived") {
    return { watched: before, end: { code: exitCodes.done, why: `campaign ${campaign ?? ""} was finished` } };
  }
  await show(before, watched);
  return { watched, end: judge(watched, isLiveNow) };
}

async function follow(
  following: Following,
  read: () => Promise<FleetStatus | undefined>,
  show: Show,
  screen: Screen | undefined,
): Promise<FollowEnd> {
  const endAt = performance.now() + (following.timeoutMs ?? Number.POSITIVE_INFINITY);
  let before: Watched | undefined;
  for (;;) {
    const { watched, end } = await showAndJudge(following, await read(), before, show, screen !== undefined);
    if (end !== undefined) return end;
    before = watched;
    if (performance.now() >= endAt) return { code: exitCodes.running, why: "still running: timed out" };
    if (await rest(screen?.left)) return { code: exitCodes.interrupted, why: goesOn };
  }
}

/** Follows the fleet or a campaign to its end: a picture on a terminal, changes or objects in a pipe. Returns the exit code. */
export async function followToEnd(following: Following, options: FollowOptions, terminal: Terminal): Promise<number> {
  const reading = chooseReading(options, terminal);
  const read = createReader(options, terminal);
  const screen = options.output === "human" && isLive(terminal) ? await openScreen(terminal) : undefined;
  let end: FollowEnd | undefined;
  try {
    const paint = screen === undefined ? undefined : await createPainter(screen, reading);
    const show: Show = async (before, after) =>
      paint === undefined ? printChange(terminal, options.output, before, after, reading) : paint(after);
    end = await follow(following, read, show, screen);
  } finally {
    await screen?.close();
  }
  const why = end.why === undefined ? [] : wrapSentences([indentSentence(end.why, "! ")], terminal);
  if (why.length > 0) await write(terminal.stderr, `${why.join("\n")}\n`);
  return end.code;
}
