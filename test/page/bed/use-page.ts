import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";

import { type Bed, openBed } from "./open-bed.ts";

/** What a test is given. */
export interface PageBed extends Bed {
  /** A tab of its own at a path; what goes wrong in it fails the test at its end. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
}

/** Sentences of the browser on what a test takes away on purpose. */
const expected =
  /net::ERR_(?:CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE)|status of 503/;

async function openTab(browser: Browser, url: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  // Also what the content security policy refuses comes as an error of the console.
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

/** Brings all of it for one test file. */
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
