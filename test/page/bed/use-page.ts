import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";

import { type Bed, openBed } from "./open-bed.ts";

/** What a test of the page uses. */
export interface PageBed extends Bed {
  /** Opens a path in a new tab; an error in it fails the test. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
}

/** The browser's messages about servers that a test stops on purpose. */
const expected =
  /net::ERR_(?:CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE)|status of (?:503|404)/;

async function openTab(browser: Browser, url: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  // The console also reports what the content security policy refuses.
  page.on("console", (message) => {
    if (message.type() === "error" && !expected.test(message.text())) wrong.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    if (wrong.length > 0) throw new Error(`the page complained: ${wrong.join("; ")}`);
  });
  await page.goto(url);
  return page;
}

/** Opens a bed for all tests of a file. */
export function usePage(): () => PageBed {
  let bed: PageBed | undefined;
  beforeAll(async () => {
    const opened = await openBed();
    const open = async (path: string, options: BrowserContextOptions = {}) =>
      openTab(opened.browser, opened.api.url + path, options);
    bed = { ...opened, open };
  });
  afterAll(async () => bed?.close());
  return () => {
    if (bed === undefined) throw new Error("the bed is there inside of tests only");
    return bed;
  };
}
