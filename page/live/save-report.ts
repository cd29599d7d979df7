import { isWhole } from "./whole.ts";

/** Waits until what signals changed is drawn. */
async function waitForDrawing(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

async function readStyles(): Promise<string> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const texts = await Promise.all(links.map(async ({ href }) => (await fetch(href)).text()));
  return texts.join("\n");
}

/** A copy of what is shown, in which nothing is loaded and nothing runs: pictures stand in it as they are now. */
function copyView(): HTMLElement {
  // A document that is never shown loads nothing: what is put into it is bound by no policy of the page.
  const inert = document.implementation.createHTMLDocument("");
  const copy = inert.importNode(document.documentElement, true);
  const drawn = [...document.querySelectorAll("canvas")];
  for (const [at, canvas] of [...copy.querySelectorAll("canvas")].entries()) {
    const image = inert.createElement("img");
    const source = drawn[at];
    image.alt = canvas.parentElement?.getAttribute("aria-label") ?? "";
    if (source !== undefined)
      [image.src, image.width, image.height] = [source.toDataURL(), source.clientWidth, source.clientHeight];
    canvas.replaceWith(image);
  }
  for (const each of copy.querySelectorAll("script, link, noscript, nav, .skip, .filters, button, .freshness, .unseen"))
    each.remove();
  for (const link of copy.querySelectorAll("a")) {
    link.setAttribute("href", new URL(link.getAttribute("href") ?? "", location.href).href);
  }
  return copy;
}

/** Adds what a reader must know of a picture that stays: when it was taken, and of what. */
function addNotes(copy: HTMLElement, styles: string, at: string): void {
  const style = copy.ownerDocument.createElement("style");
  style.textContent = styles;
  copy.querySelector("head")?.append(style);
  const note = copy.ownerDocument.createElement("p");
  note.className = "report";
  note.textContent = `Report of ${location.href}, the fleet as of ${at}`;
  copy.querySelector("main")?.prepend(note);
}

/** Saves the present view as one HTML file that needs no other one: for a review, a mail, an archive. */
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
