import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { common } from '@/messages/common';
import { messages } from '@/messages/evaluation';
import { usePermission } from '@/session/me';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Pill, type Tone } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { datasets, isOpen, type Run, runs } from './data';
import { CreateDatasetButton } from './NewDataset';

const text = messages.runs;
const TONES: Record<string, Tone> = { queued: 'plain', running: 'accent', done: 'allow', failed: 'block' };

/** Lists runs. */
export function Runs() {
  const mayChange = usePermission()('FIREWALL_POLICIES:UPDATE_POLICY');
  const query = useQuery(runs);
  const made = useQuery(datasets).data ?? [];
  const nameOf = (id: string) => made.find(({ dataset_id }) => dataset_id === id)?.name ?? id;
  const next =
    made.length > 0 ? (
      <Link to="/evaluation" search={{ tab: 'datasets' }} className="text-body text-accent underline">
        {messages.datasets.title}
      </Link>
    ) : (
      mayChange && <CreateDatasetButton />
    );
  return (
    <Card>
      <Loaded query={query}>
        {(rows) => (
          <Table
            name={text.title}
            rows={rows}
            id={({ run_id }) => run_id}
            empty={
              <Empty title={text.emptyTitle} action={next}>
                {text.emptyBody}
              </Empty>
            }
            columns={[
              {
                head: text.policy,
                value: ({ policyName }) => policyName,
                cell: ({ run_id, policyName, policy_version }) => (
                  <Link
                    to="/evaluation/$runId"
                    params={{ runId: run_id }}
                    className="font-medium text-accent hover:underline"
                  >
                    {text.open(policyName, policy_version)}
                  </Link>
                ),
              },
              { head: text.dataset, value: ({ dataset_id }) => nameOf(dataset_id) },
              { head: common.status, value: ({ status }) => status, cell: (run) => <RunState run={run} /> },
              {
                head: text.progress,
                value: ({ evaluated }) => evaluated,
                cell: (run) => <RunProgress run={run} />,
              },
              { head: text.started, value: ({ created_at }) => new Date(created_at) },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}

/** The status of a run. */
export function RunState({ run: { status, error } }: { run: Run }) {
  return (
    <span className="flex max-w-64 flex-col items-start gap-0.5">
      <Pill tone={TONES[status] ?? 'plain'}>{text.states[status] ?? status}</Pill>
      {error && <span className="text-xs text-quiet">{error}</span>}
    </span>
  );
}

/** How many cases of a run are evaluated, with a bar while it is open. */
export function RunProgress({ run }: { run: Run }) {
  const { evaluated, cases } = run;
  return (
    <span className="flex min-w-32 flex-col gap-1">
      <span className="tabular text-xs">{text.evaluated(evaluated, cases)}</span>
      {isOpen(run) && (
        <progress aria-label={text.bar(evaluated, cases)} value={evaluated} max={cases} className="h-1.5 w-full" />
      )}
    </span>
  );
}
