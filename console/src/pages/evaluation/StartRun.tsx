import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { policies } from '@/api/data';
import { common } from '@/messages/common';
import { messages } from '@/messages/evaluation';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select } from '@/ui/Field';
import { type Dataset, refresh } from './data';

const text = messages.runs;

/** Starts a run of a policy version over a dataset. */
export function StartRun({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const navigate = useNavigate();
  const made = useQuery(policies).data ?? [];
  const [picked, setPicked] = useState('');
  const [version, setVersion] = useState('');
  const policy = made.find(({ policyId }) => policyId === picked) ?? made[0];
  const start = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/api/evaluation/runs', {
          body: {
            dataset_id: dataset.dataset_id,
            policyId: policy?.policyId ?? '',
            ...(version === '' ? {} : { policy_version: Number(version) }),
          },
        }),
      ),
    onSuccess: ({ run_id }) => {
      void refresh();
      void navigate({ to: '/evaluation/$runId', params: { runId: run_id } });
    },
    meta: { shown: true },
  });
  return (
    <Dialog
      title={text.startTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" busy={start.isPending} disabled={!policy} onClick={() => start.mutate()}>
            {text.start}
          </Button>
        </>
      }
    >
      <div className="space-y-4 text-body">
        <p className="text-xs text-quiet">{text.startHelp}</p>
        <Select
          label={text.policy}
          value={policy?.policyId ?? ''}
          options={made.map(({ policyId, policyName }) => [policyId, policyName] as const)}
          onChange={(event) => {
            setPicked(event.target.value);
            setVersion('');
          }}
        />
        <Input
          label={common.optional(text.version)}
          boxClass="w-40"
          type="number"
          min={1}
          max={policy?.version}
          value={version}
          hint={policy && text.versionHint(policy.version)}
          onChange={(event) => setVersion(event.target.value)}
        />
        {start.error && <ErrorNote error={start.error} />}
      </div>
    </Dialog>
  );
}
