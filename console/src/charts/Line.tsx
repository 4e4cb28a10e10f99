/** A line chart over time; `description` is its text for screen readers. */
export function Line({ points, description }: { points: { at: number; value: number }[]; description: string }) {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || first === last) return null;
  const width = Math.max(1, last.at - first.at);
  const highest = Math.max(...points.map(({ value }) => value));
  const lowest = Math.min(...points.map(({ value }) => value));
  const height = Math.max(1, highest - lowest);
  const place = ({ at, value }: { at: number; value: number }) =>
    `${((at - first.at) / width) * 100},${highest === lowest ? 20 : 38 - ((value - lowest) / height) * 36}`;
  const line = points.map(place).join(' ');
  return (
    <svg role="img" aria-label={description} viewBox="0 0 100 40" preserveAspectRatio="none" className="h-24 w-full">
      <polygon points={`0,40 ${line} 100,40`} fill="var(--accent-soft)" />
      <polyline points={line} fill="none" stroke="var(--accent)" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
