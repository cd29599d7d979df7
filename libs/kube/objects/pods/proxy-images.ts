/** Which image the sidecars of each revision have in one cluster. */
export interface ProxyImages {
  /** One pod more (+1) or less (-1). */
  count(revision: string, image: string, by: 1 | -1): void;
  /** That most of them have; undefined where no pod shows one. */
  usual(revision: string): string | undefined;
}

/** Pods of one revision. */
interface Counted {
  readonly byImage: Map<string, number>;
  usual: string | undefined;
}

/**
 * Another image becomes the most frequent only with so many times as many pods, so that two equally frequent ones do not
 * alternate.
 */
const margin = 1.1;

function chooseUsual({ byImage, usual }: Counted): string | undefined {
  const most = [...byImage].reduce<readonly [string | undefined, number]>(
    (best, [image, count]) => (count > best[1] ? [image, count] : best),
    [undefined, 0],
  );
  const own = usual === undefined ? 0 : (byImage.get(usual) ?? 0);
  return own > 0 && most[1] <= own * margin ? usual : most[0];
}

/** `changed` is called with a revision whose usual image is another one. */
export function createProxyImages(changed: (revision: string) => void): ProxyImages {
  const counts = new Map<string, Counted>();
  return {
    count: (revision, image, by) => {
      const counted: Counted = counts.get(revision) ?? { byImage: new Map<string, number>(), usual: undefined };
      counts.set(revision, counted);
      const count = (counted.byImage.get(image) ?? 0) + by;
      if (count <= 0) counted.byImage.delete(image);
      else counted.byImage.set(image, count);
      const before = counted.usual;
      // The most frequent image stays so when it gets one more pod; this skips the comparison for nearly every pod.
      if (by === 1 && image === before) return;
      counted.usual = chooseUsual(counted);
      if (counted.byImage.size === 0) counts.delete(revision);
      if (counted.usual !== before) changed(revision);
    },
    usual: (revision) => counts.get(revision)?.usual,
  };
}
