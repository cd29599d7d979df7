import { isWhole } from "./whole.ts";

/** Waits until changed signals are drawn. */
async function waitForDrawing(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

async function readStyles(): Promise<string> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const texts = await Promise.all(links.map(async ({ href }) => (await fetch(href)).text()));
  return texts.join("\n");
}

/** A static copy of the view: it loads and runs nothing, and canvases become images. */
function copyView(): HTMLElement {
  // A document that is never shown loads nothing, and the page's content policy does not apply to it.
  const inert = document.implementation.createHTMLDocument("");
  const copy = inert.importNode(document.documentElement, true);
  const drawn = [...document.querySelectorAll("canvas")];
  for (const [at, canvas] of [...copy.querySelectorAll("canvas")].entries()) {
    const image = inert.createElement("img");
    const source = drawn[at];
    image.alt = canvas.closest("[aria-label]")?.getAttribute("aria-label") ?? "";
    if (source !== undefined)
      [image.src, image.width, image.height] = [source.toDataURL(), source.clientWidth, source.clientHeight];
    canvas.replaceWith(image);
  }
  for (const each of copy.querySelectorAll(
    "script, link, noscript, nav, .skip, .filters, .grouping, .hint, button, .freshness, .unseen",
  ))
    each.remove();
  for (const link of copy.querySelectorAll("a")) {
    link.setAttribute("href", new URL(link.getAttribute("href") ?? "", location.href).href);
  }
  return copy;
}

/** Adds when and of what the copy was made. */
function addNotes(copy: HTMLElement, styles: string, at: string): void {
  const style = copy.ownerDocument.createElement("style");
  style.textContent = styles;
  copy.querySelector("head")?.append(style);
  const note = copy.ownerDocument.createElement("p");
  note.className = "report";
  note.textContent = `Report of ${location.href}, the fleet as of ${at}`;
  copy.querySelector("main")?.prepend(note);
}

/** Saves the view as one self-contained HTML file. */
export async function saveReport(at: string): Promise<void> {
  isWhole.value = true;
  await waitForDrawing();
  const copy = copyView();
  isWhole.value = false;
  addNotes(copy, await readStyles(), at);
  const file = new Blob([`<!doctype html>\n${copy.outerHTML}\n`], { type: "text/html" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `meshroll-${at.replaceAll(/[^0-9TZ]/g, "")}.html`;
  link.click();
  URL.revokeObjectURL(link.href);
}
