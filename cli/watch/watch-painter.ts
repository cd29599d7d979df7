import type { Reading } from "../options/reading-options.ts";
import type { Screen } from "./screen.ts";
import { drawFrame } from "./watch-frame.ts";
import type { Watched } from "./watch-transitions.ts";
import { firstView, pressKey } from "./watch-view.ts";

/** Draws the last status, whenever it changes or a key is pressed, so that keys have effect at once. */
export async function createPainter(screen: Screen, reading: Reading): Promise<(watched: Watched) => Promise<void>> {
  const { tellAnswers } = await import("#libs/plan");
  let view = firstView;
  let last: Watched | undefined;
  const paint = async () => {
    if (last === undefined) return;
    const answers = tellAnswers(last.campaign ?? last.status);
    const { lines, foot, offset } = drawFrame(last, answers, screen.size(), reading, view);
    view = { ...view, offset };
    await screen.draw(lines, foot);
  };
  screen.listen((key) => {
    view = pressKey(view, key);
    void paint();
  });
  // The first status takes a moment, in which an empty screen would look broken.
  await screen.draw([], "reading the status …");
  return async (watched) => {
    last = watched;
    await paint();
  };
}
