import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { common } from '@/messages/common';
import { messages } from '@/messages/evaluation';
import { usePermission } from '@/session/me';
import { Button, IconButton } from '@/ui/Button';
import { Caller } from '@/ui/Caller';
import { Confirm } from '@/ui/Confirm';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Table } from '@/ui/Table';
import { type Dataset, datasets, refresh } from './data';
import { CreateDatasetButton } from './NewDataset';
import { StartRun } from './StartRun';

const text = messages.datasets;

/** Lists datasets. */
export function Datasets() {
  const query = useQuery(datasets);
  return (
    <Card>
      <Loaded query={query}>{(rows) => <DatasetTable rows={rows} />}</Loaded>
    </Card>
  );
}

function DatasetTable({ rows }: { rows: Dataset[] }) {
  const mayChange = usePermission()('FIREWALL_POLICIES:UPDATE_POLICY');
  const [started, setStarted] = useState<Dataset | null>(null);
  const [removed, setRemoved] = useState<Dataset | null>(null);
  return (
    <>
      <Table
        name={text.title}
        rows={rows}
        id={({ dataset_id }) => dataset_id}
        empty={
          <Empty title={text.emptyTitle} action={mayChange && <CreateDatasetButton />}>
            {text.emptyBody}
          </Empty>
        }
        columns={[
          { head: common.name, value: ({ name }) => name },
          { head: text.source, value: ({ source }) => text.sources[source] ?? source },
          { head: text.cases, value: ({ cases }) => cases, number: true },
          { head: text.attacks, value: ({ attacks }) => attacks, number: true },
          { head: text.created, value: ({ created_at }) => new Date(created_at) },
          {
            head: text.createdBy,
            value: ({ created_by }) => created_by,
            cell: ({ created_by }) => <Caller principal={created_by} />,
          },
          {
            head: common.actions,
            cell: (dataset) =>
              mayChange && (
                <span className="flex items-center gap-2">
                  <Button small onClick={() => setStarted(dataset)}>
                    {text.run}
                  </Button>
                  <IconButton label={text.remove(dataset.name)} onClick={() => setRemoved(dataset)}>
                    <Trash2 size={14} />
                  </IconButton>
                </span>
              ),
          },
        ]}
      />
      {started && <StartRun dataset={started} onClose={() => setStarted(null)} />}
      {removed && (
        <Confirm
          title={text.remove(removed.name)}
          verb={common.delete}
          act={() =>
            answer(
              api.DELETE('/api/evaluation/datasets/{dataset_id}', {
                params: { path: { dataset_id: removed.dataset_id } },
              }),
            )
          }
          onDone={() => {
            setRemoved(null);
            void refresh();
          }}
          onClose={() => setRemoved(null)}
        >
          <p>{text.removeNote}</p>
        </Confirm>
      )}
    </>
  );
}
