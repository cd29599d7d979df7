/** The store cannot be reached, or answers something else than a file: the same may work later. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** The store answers that it has no such file. */
export class NotInStore extends Error {
  override readonly name = "NotInStore";
}
