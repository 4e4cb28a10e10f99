import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { common } from '@/messages/common';
import { messages } from '@/messages/evaluation';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Tab, Tabs } from '@/ui/Tabs';
import { toast } from '@/ui/toasts';
import { Compare } from './Compare';
import { Confusion } from './Confusion';
import { isOpen, type Report, type Run, refresh, runOf } from './data';
import { RunProgress, RunState } from './Runs';
import { Sweep } from './Sweep';
import { WrongCases } from './WrongCases';

const text = messages.runs;
const TABS = Object.entries(messages.report.tabs);
const route = getRouteApi('/app/evaluation/$runId');

/** A run with its progress and its report. */
export function RunPage() {
  const { runId } = route.useParams();
  const query = useQuery(runOf(runId));
  const run = query.data;
  const title = run ? text.open(run.policyName, run.policy_version) : messages.title;
  return (
    <Page title={title} actions={run && <RunActions run={run} />}>
      <Loaded query={query}>
        {(loaded) => (
          <>
            <Card>
              <div className="flex flex-wrap items-center gap-4">
                <RunState run={loaded} />
                <RunProgress run={loaded} />
                {loaded.report && (
                  <span className="text-xs text-quiet">{messages.report.model(loaded.report.model_version)}</span>
                )}
              </div>
              {!loaded.report && (
                <p className="mt-2 text-body text-quiet">{isOpen(loaded) ? text.notDone : text.stopped}</p>
              )}
            </Card>
            {loaded.report && <RunReport run={loaded} report={loaded.report} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function RunReport({ run, report }: { run: Run; report: Report }) {
  const may = usePermission();
  const { tab = 'confusion' } = route.useSearch();
  const navigate = route.useNavigate();
  const denied = !may('LOGS:VIEW_LOG') && <p className="text-body text-quiet">{messages.wrong.denied}</p>;
  return (
    <Tabs
      name={messages.title}
      tabs={TABS}
      value={tab}
      onChange={(next) => void navigate({ search: { tab: next === 'confusion' ? undefined : next } })}
    >
      <Tab id="confusion">
        <Confusion report={report} />
      </Tab>
      <Tab id="wrong">{denied || <WrongCases run={run} report={report} />}</Tab>
      <Tab id="thresholds">{denied || <Sweep run={run} report={report} />}</Tab>
      <Tab id="compare">{denied || <Compare run={run} />}</Tab>
    </Tabs>
  );
}

function RunActions({ run }: { run: Run }) {
  const mayChange = usePermission()('FIREWALL_POLICIES:UPDATE_POLICY');
  const navigate = route.useNavigate();
  const [isRemoving, setRemoving] = useState(false);
  const params = { path: { run_id: run.run_id } };
  const cancel = useMutation({
    mutationFn: () => answer(api.POST('/api/evaluation/runs/{run_id}/cancel', { params })),
    onSuccess: () => {
      toast(text.canceled);
      void refresh();
    },
  });
  if (!mayChange) return null;
  if (isOpen(run))
    return (
      <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
        {text.cancel}
      </Button>
    );
  return (
    <>
      <Button onClick={() => setRemoving(true)}>{text.remove}</Button>
      {isRemoving && (
        <Confirm
          title={text.remove}
          verb={common.delete}
          act={() => answer(api.DELETE('/api/evaluation/runs/{run_id}', { params }))}
          onDone={() => {
            void refresh();
            void navigate({ to: '/evaluation', search: {} });
          }}
          onClose={() => setRemoving(false)}
        >
          <p>{text.removeNote}</p>
        </Confirm>
      )}
    </>
  );
}
