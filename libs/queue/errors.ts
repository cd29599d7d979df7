/** Redis does not answer at once: nothing new is handed out; try again later. */
export class QueueUnavailable extends Error {
  override readonly name = "QueueUnavailable";
}
