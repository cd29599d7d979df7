import { fileURLToPath } from "node:url";

import { makeInstant } from "../world/campaigns/campaign-instant.ts";
import { openBed } from "./bed/open-bed.ts";

// `npm run screenshots`: makes the README's images of the page, in light and dark.

const folder = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const views = [{ name: "page", path: "/", height: 1250 }];

const bed = await openBed();
try {
  await bed.planner.publish(makeInstant());
  for (const { name, path, height } of views) {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await bed.browser.newPage({ colorScheme, viewport: { width: 1180, height } });
      await page.goto(bed.api.url + path);
      await page.getByText("live", { exact: true }).waitFor();
      await page.getByRole("region", { name: "Namespaces" }).waitFor();
      await page.screenshot({ path: `${folder}${name}-${colorScheme}.png` });
      await page.close();
    }
  }
} finally {
  await bed.close();
}
