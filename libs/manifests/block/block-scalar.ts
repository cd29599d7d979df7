/** The lines of a block scalar (`|` or `>`), which are text. */
export class BlockScalar {
  /** Column of the key that holds it; -1 outside of one. */
  #below = -1;
  #column = -1;
  #blank = 0;

  open(below: number): void {
    this.#below = below;
    this.#column = -1;
    this.#blank = 0;
  }

  /** A blank line belongs to it, whatever its indentation. */
  noteBlank(column: number): void {
    this.#blank = Math.max(this.#blank, column);
  }

  /** Whether a line that begins at this column belongs to it. If not, the scalar has ended. */
  holds(column: number): boolean {
    if (this.#below < 0) return false;
    if (column > this.#below) return true;
    this.#below = -1;
    return false;
  }

  /** The first line sets the indentation. False for a shallower line, which only the library can judge. */
  take(column: number, firstCode: number): boolean {
    if (this.#column === -1) {
      if (firstCode === 9 || this.#blank > column) return false;
      this.#column = column;
    }
    return column >= this.#column;
  }
}
