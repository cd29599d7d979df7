/** The lines of a `|` or `>`, which are text and nothing else. */
export class BlockScalar {
  /** Columns of what holds it; -1 outside of one. */
  #below = -1;
  #column = -1;
  #blank = 0;

  open(below: number): void {
    this.#below = below;
    this.#column = -1;
    this.#blank = 0;
  }

  /** A line of blanks alone belongs to it, wherever it ends. */
  noteBlank(column: number): void {
    this.#blank = Math.max(this.#blank, column);
  }

  /** Whether a line that begins at this column belongs to it; it is over where not. */
  holds(column: number): boolean {
    if (this.#below < 0) return false;
    if (column > this.#below) return true;
    this.#below = -1;
    return false;
  }

  /** The first line says how deep the text stands. False: one below is shallower, which only the library judges. */
  take(column: number, firstCode: number): boolean {
    if (this.#column === -1) {
      if (firstCode === 9 || this.#blank > column) return false;
      this.#column = column;
    }
    return column >= this.#column;
  }
}
