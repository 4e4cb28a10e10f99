import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, Plus } from 'lucide-react';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { save } from '@/lib/save';
import { common } from '@/messages/common';
import { messages } from '@/messages/evaluation';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select } from '@/ui/Field';
import { FileButton } from '@/ui/FileButton';
import { toast } from '@/ui/toasts';
import { formatOf, formOf, refresh } from './data';
import { FilePreview } from './FilePreview';

const text = messages.create;
// A case that must trigger a guardrail, and one that must pass.
const EXAMPLE = [
  'text,labels,expect',
  `${text.exampleAttack},prompt_injection,`,
  `${text.exampleHarmless},,pass`,
  '',
].join('\r\n');
const DAY_MS = 86_400_000;
const ORIGINS = [
  ['feedback', text.fromFeedback],
  ['file', text.fromFile],
] as const;

/** A button that opens the dialog for a new dataset. */
export function CreateDatasetButton({ kind }: { kind?: 'primary' }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        <Plus aria-hidden size={14} />
        {messages.datasets.create}
      </Button>
      {isOpen && <NewDataset onClose={() => setOpen(false)} />}
    </>
  );
}

function NewDataset({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [origin, setOrigin] = useState('feedback');
  const [name, setName] = useState('');
  const [days, setDays] = useState('30');
  const [file, setFile] = useState<File | null>(null);
  const [isAccepted, setAccepted] = useState(false);
  const isFile = origin === 'file';
  const create = useMutation({
    mutationFn: () => (isFile && file ? upload(file, name) : fromFeedback(name, Number(days))),
    onSuccess: ({ cases, skipped }) => {
      toast([text.done(name, cases), skipped > 0 ? text.skipped(skipped) : ''].join(' ').trim());
      void refresh();
      onClose();
      void navigate({ to: '/evaluation', search: { tab: 'datasets' } });
    },
    meta: { shown: true },
  });
  return (
    <Dialog
      wide={isFile}
      title={text.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            kind="primary"
            busy={create.isPending}
            disabled={name.trim() === '' || (isFile && !isAccepted)}
            onClick={() => create.mutate()}
          >
            {common.create}
          </Button>
        </>
      }
    >
      <div className="space-y-4 text-body">
        <Input label={common.name} maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
        <Select
          label={text.from}
          value={origin}
          options={ORIGINS}
          onChange={(event) => setOrigin(event.target.value)}
        />
        {isFile ? (
          <>
            <p className="text-xs text-quiet">{text.fileHelp}</p>
            <div className="flex flex-wrap items-center gap-2">
              <FileButton accept=".jsonl,.csv,.json,.txt" onChoose={([chosen]) => setFile(chosen ?? null)}>
                {file?.name ?? text.choose}
              </FileButton>
              <Button kind="quiet" onClick={() => save(new Blob([EXAMPLE], { type: 'text/csv' }), 'example.csv')}>
                <Download aria-hidden size={14} />
                {text.example}
              </Button>
            </div>
            {file && <FilePreview key={`${file.name} ${file.lastModified}`} file={file} onChecked={setAccepted} />}
          </>
        ) : (
          <>
            <p className="text-xs text-quiet">{text.feedbackHelp}</p>
            <Input
              label={text.days}
              boxClass="w-28"
              type="number"
              min={1}
              max={3650}
              value={days}
              onChange={(event) => setDays(event.target.value)}
            />
          </>
        )}
        {create.error && <ErrorNote error={create.error} />}
      </div>
    </Dialog>
  );
}

async function upload(file: File, name: string) {
  const format = formatOf(file);
  const made = await answer(
    api.POST('/api/evaluation/datasets', {
      body: { file: file.name, name, format },
      bodySerializer: () => formOf(file, { name, format }),
    }),
  );
  return { cases: made.cases, skipped: 0 };
}

const fromFeedback = (name: string, days: number) =>
  answer(
    api.POST('/api/evaluation/datasets/feedback', {
      body: { name, from: new Date(Date.now() - days * DAY_MS).toISOString() },
    }),
  );
