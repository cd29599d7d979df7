import { choose, withChoices } from "../../live/address.ts";
import { readPresentTime } from "../../live/fleet-clock.ts";
import { isPlaying, past, pause, picture, play, scrub, times } from "../../live/past.ts";
import { printDuration } from "../../model/duration.ts";
import { findNeighbours } from "../../model/picture-times.ts";
import { Mark } from "../../parts/mark.tsx";
import { Moment, printMoment } from "../../parts/moment.tsx";

/** How long ago it was, by the fleet's clock. */
function Ago({ at }: { readonly at: string }) {
  const present = readPresentTime();
  const ms = present === undefined ? 0 : present - Date.parse(at);
  return ms <= 0 ? null : <span>{printDuration(ms)} ago</span>;
}

interface StepProps {
  readonly to: string | undefined;
  readonly at: string;
  readonly text: string;
}

/** A link to another picture. Where there is none it stays, so that the keyboard's focus is not lost. */
function Step({ to, at, text }: StepProps) {
  return (
    <a href={withChoices({ at: to ?? at })} aria-disabled={to === undefined}>
      {text}
    </a>
  );
}

/** Says that this is not the present, and leads to the pictures next to it and back. It stays in view. */
export function PastBanner() {
  const shown = picture.value;
  if (past.value.kind === "now") return null;
  const { earlier, later } = findNeighbours(times.value ?? [], shown?.status.at ?? "");
  return (
    <section class="past" aria-label="An earlier time">
      <p>
        <Mark kind="past" />
        {shown === undefined ? (
          <b>Not the present</b>
        ) : (
          <>
            <b>
              As it was at <Moment at={shown.status.at} />
            </b>
            <Ago at={shown.status.at} />
          </>
        )}
      </p>
      <nav aria-label="Pictures">
        {shown === undefined ? null : (
          <>
            <Step to={earlier} at={shown.status.at} text="← Earlier" />
            <Step to={later} at={shown.status.at} text="Later →" />
          </>
        )}
        <a href={withChoices({ at: "" })}>Back to now</a>
      </nav>
    </section>
  );
}

/** A replay, for viewers who want things to move. */
function Replay() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
  return (
    <button type="button" class="plain-button" onClick={() => (isPlaying.value ? pause() : play())}>
      {isPlaying.value ? "Pause" : "Play"}
    </button>
  );
}

/** All pictures on a slider, with its ends as text. */
function Slider({ all, at }: { readonly all: readonly string[]; readonly at: string }) {
  const { place } = findNeighbours(all, at);
  const [oldest, newest] = [all[0], all.at(-1)];
  if (oldest === undefined || newest === undefined || all.length < 2) return null;
  const shown = Math.max(0, place);
  const find = (value: string): string => all[Number(value)] ?? at;
  return (
    <nav class="times" aria-label="All pictures">
      <div class="replay">
        <label for="times">
          Picture {shown + 1} of {all.length}
        </label>
        <Replay />
      </div>
      <input
        id="times"
        type="range"
        min={0}
        max={all.length - 1}
        value={shown}
        aria-valuetext={printMoment(all[shown] ?? at)}
        onInput={({ currentTarget }) => {
          if (isPlaying.value) pause();
          scrub(find(currentTarget.value));
        }}
        onChange={({ currentTarget }) => {
          choose({ at: find(currentTarget.value) });
          scrub(undefined);
        }}
      />
      <p class="ends">
        <span>
          oldest <Moment at={oldest} />
        </span>
        <span>
          newest <Moment at={newest} />
        </span>
      </p>
    </nav>
  );
}

/** Which pictures there are, and what is not true of them. */
export function PastTimes() {
  const shown = picture.value;
  if (shown === undefined) return null;
  return (
    <>
      <Slider all={times.value ?? []} at={shown.status.at} />
      <p class="quiet">
        This is what the page showed then. Times left are counted from then, and commands are of then: look at the
        present before you type one.
        {shown.table === undefined
          ? " The table of namespaces is not part of this picture: it was too large, or not known."
          : ""}
      </p>
    </>
  );
}
