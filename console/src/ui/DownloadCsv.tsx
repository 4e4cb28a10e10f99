import { Download } from 'lucide-react';
import { save } from '@/lib/save';
import { fileName } from '@/lib/table';
import { common } from '@/messages/common';
import { Button } from './Button';

/** Downloads a table as CSV. `name` is that of the table, `csv` writes the file. */
export function DownloadCsv({ name, csv }: { name: string; csv: () => string }) {
  return (
    <Button small kind="quiet" onClick={() => save(new Blob([csv()], { type: 'text/csv' }), fileName(name))}>
      <Download aria-hidden size={13} />
      {common.downloadCsv}
    </Button>
  );
}
