import { Table2 } from 'lucide-react';
import { messages } from '@/messages/charts';
import { Button } from '@/ui/Button';
import { Legend } from './Legend';
import type { Line, Marker, Series } from './series';

type Props = {
  name: string;
  series: Series[];
  hidden: readonly string[];
  onHide: (hidden: readonly string[]) => void;
  markers: Marker[];
  lines: Line[];
  isTable: boolean;
  onTable: (isTable: boolean) => void;
};

/** The legend of a chart, the meaning of its lines, and the switch to its table. */
export function Caption({ name, series, hidden, onHide, markers, lines, isTable, onTable }: Props) {
  return (
    <figcaption className="mt-1 flex flex-wrap items-start gap-x-4 gap-y-1 pl-2">
      {series.length > 1 ? <Legend series={series} hidden={hidden} onChange={onHide} /> : <span className="flex-1" />}
      {markers.length > 0 && !isTable && <Key line="h-3 border-l border-dashed border-accent">{messages.markers}</Key>}
      {lines.map(({ id, label }) => (
        <Key key={id} line="w-4 border-t-2 border-dashed border-block">
          {label}
        </Key>
      ))}
      <Button small kind="quiet" aria-pressed={isTable} onClick={() => onTable(!isTable)}>
        <Table2 aria-hidden size={13} />
        {isTable ? messages.chart : messages.table}
        <span className="sr-only"> {name}</span>
      </Button>
    </figcaption>
  );
}

/** What a dashed line means. */
function Key({ line, children }: { line: string; children: string }) {
  return (
    <span className="inline-flex min-h-6 items-center gap-1.5 text-xs text-quiet">
      <span aria-hidden className={line} />
      {children}
    </span>
  );
}
