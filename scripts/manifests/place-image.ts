/** The image in the manifests: a placeholder that does not exist. */
const placeholder = /^registry\.example\.com\/meshroll:\S+@sha256:0{64}$/mu;

const pinned = /^[a-z0-9][\w./:-]*@sha256:(?<digest>[0-9a-f]{64})$/u;

/** Why an image must not be deployed; undefined when it may. */
export function refuseImage(image: string | undefined): string | undefined {
  if (image === undefined || image === "") return "no image is named";
  const digest = pinned.exec(image)?.groups?.["digest"];
  if (digest === undefined) return `${image} is not named by its digest: a tag can be pushed again`;
  return /^0+$/u.test(digest) ? `${image} has the digest of no image` : undefined;
}

/** The manifest with `image` in place of the placeholder. Throws when `image` must not be deployed. */
export function placeImage(manifest: string, image: string): string {
  const why = refuseImage(image);
  if (why !== undefined) throw new Error(why);
  const lines = manifest.split("\n").map((line) => {
    const [head, name] = line.split("image: ");
    return name !== undefined && placeholder.test(name) ? `${head ?? ""}image: ${image}` : line;
  });
  return lines.join("\n");
}
