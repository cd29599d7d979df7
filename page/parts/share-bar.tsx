interface ShareBarProps {
  /** Percent that was reached. */
  readonly actual: number;
  /** The requested percentage: a line across the bar. */
  readonly requested: number;
}

/** How much of the requested share is reached; the figures are next to it as text. */
export function ShareBar({ actual, requested }: ShareBarProps) {
  return (
    <span class="bar" aria-hidden="true">
      <span class="bar-actual" style={{ width: `${Math.min(100, actual)}%` }} />
      <span class="bar-requested" style={{ left: `${Math.min(100, requested)}%` }} />
    </span>
  );
}
