/** The colours of a chart, by their meaning. */
export type ChartColour =
  | "ink"
  | "quiet"
  | "line"
  | "sheet"
  | "new"
  | "newSoft"
  | "old"
  | "oldSoft"
  | "moving"
  | "failed";

export type ChartColours = Readonly<Record<ChartColour, string>>;

/** Where the system forces its colours, a chart has these: a canvas is not recoloured by the browser. */
const forced: ChartColours = {
  ink: "CanvasText",
  quiet: "CanvasText",
  line: "GrayText",
  sheet: "Canvas",
  new: "Highlight",
  newSoft: "Canvas",
  old: "CanvasText",
  oldSoft: "Canvas",
  moving: "CanvasText",
  failed: "CanvasText",
};

/** The colours of tokens.css in effect for this reader. */
export function readChartColours(element: Element): ChartColours {
  if (matchMedia("(forced-colors: active)").matches) return forced;
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: read("ink"),
    quiet: read("quiet"),
    line: read("line"),
    sheet: read("sheet"),
    new: read("new"),
    newSoft: read("new-soft"),
    old: read("old"),
    oldSoft: read("old-soft"),
    moving: read("moving"),
    failed: read("failed"),
  };
}

const schemes = ["(prefers-color-scheme: dark)", "(forced-colors: active)", "print"];

/** Calls back whenever other colours are in effect, until the returned function is called. */
export function followColours(onChange: () => void): () => void {
  const queries = schemes.map((each) => matchMedia(each));
  for (const query of queries) query.addEventListener("change", onChange);
  return () => {
    for (const query of queries) query.removeEventListener("change", onChange);
  };
}
