import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { placeImage, refuseImage } from "./place-image.ts";

// Prints the manifests of an executor with the image of the user's own build, for `kubectl apply -f -`.
const { values } = parseArgs({ options: { image: { type: "string" } } });
const { image = "" } = values;
const why = refuseImage(image);
if (why !== undefined) {
  process.stderr.write(
    `${why}\n  name your own build: docker buildx imagetools inspect IMAGE  shows its digest, then\n` +
      "  npm run -s manifests -- --image REGISTRY/meshroll@sha256:DIGEST | kubectl apply -f -\n",
  );
  process.exit(65);
}
const folder = fileURLToPath(new URL("../../deploy/kubernetes/", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const texts = files.toSorted().map((name) => placeImage(readFileSync(`${folder}${name}`, "utf8"), image));
process.stdout.write(texts.join("\n---\n"));
