import { isObject } from "#libs/input";

import type { ApiObject } from "../api-types.ts";

/** An answer of the API server does not have the form of the Kubernetes API. All of it is discarded. */
export class ObjectUnreadable extends Error {
  override readonly name = "ObjectUnreadable";
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string";
}

function isTextMap(value: unknown): boolean {
  return value === undefined || value === null || (isObject(value) && Object.values(value).every(isTextOrAbsent));
}

/** The name of a field that has another kind than the API promises. */
function findWrong({ name, namespace, uid, resourceVersion, labels, annotations }: Readonly<Record<string, unknown>>) {
  const texts = Object.entries({ name, namespace, uid, resourceVersion });
  const maps = Object.entries({ labels, annotations });
  const wrong = texts.find(([, value]) => !isTextOrAbsent(value)) ?? maps.find(([, value]) => !isTextMap(value));
  return wrong?.[0];
}

/**
 * Checks the fields that all objects have: names are texts, labels and annotations are maps of texts. The projections check the
 * rest. Throws `ObjectUnreadable`.
 */
export function checkObject(value: unknown): ApiObject {
  if (!isObject(value) || !isObject(value["metadata"])) throw new ObjectUnreadable("an object has no metadata");
  const wrong = findWrong(value["metadata"]);
  if (wrong !== undefined) throw new ObjectUnreadable(`metadata.${wrong} of an object has another kind`);
  return value as ApiObject;
}

/** One page of a list. */
export interface ListPage {
  readonly items: readonly unknown[];
  readonly resourceVersion: string;
  /** Of the next page; "" after the last. */
  readonly token: string;
}

/** Throws `ObjectUnreadable`. */
export function checkPage(body: unknown): ListPage {
  if (!isObject(body)) throw new ObjectUnreadable("the list is not an object");
  const { metadata = {}, items } = body;
  if (!isObject(metadata)) throw new ObjectUnreadable("the list's metadata is not an object");
  const { resourceVersion = "0", continue: token = "" } = metadata;
  if (typeof resourceVersion !== "string" || typeof token !== "string") {
    throw new ObjectUnreadable("the list's metadata has another kind");
  }
  // Go writes an empty list as null.
  const list: unknown = items ?? [];
  if (!Array.isArray(list)) throw new ObjectUnreadable("the list has no items");
  return { items: list, resourceVersion, token };
}
