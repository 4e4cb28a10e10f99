import { useMutation } from '@tanstack/react-query';
import { Flag } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { queries } from '@/api/queries';
import { type BulkResult, MOST_AT_ONCE, runAll } from '@/lib/bulk';
import { moment, words } from '@/lib/format';
import type { Selection } from '@/lib/useSelection';
import { common } from '@/messages/common';
import { messages } from '@/messages/logs';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { DownloadCsv } from '@/ui/DownloadCsv';
import { Failures } from '@/ui/Failures';
import { SelectionBar } from '@/ui/SelectionBar';
import { toast, toastUndo } from '@/ui/toasts';
import { entriesCsv } from './entriesCsv';
import type { LogEntry } from './useTail';

const text = messages.bulk;

type Mark = Schema<'FeedbackMark'>;
/** Feedback on an entry, or none. */
type Change = { entry: LogEntry; mark: Mark | null; note?: string };

const give = ({ entry: { log_id }, mark, note }: Change) =>
  answer(api.PUT('/api/logs/{log_id}/mark', { params: { path: { log_id } }, body: { mark, note } }));

/** Returns the feedback that an entry has, with its note, which lists omit. */
async function feedbackOf(entry: LogEntry): Promise<Change> {
  if (entry.mark == null) return { entry, mark: null };
  const { mark, mark_note } = await answer(
    api.GET('/api/logs/{log_id}', { params: { path: { log_id: entry.log_id } } }),
  );
  return { entry, mark: mark ?? null, note: mark_note ?? undefined };
}

/** Gives feedback on the selected entries, with a way back, and downloads them. */
export function SelectionActions({ entries, selection }: { entries: LogEntry[]; selection: Selection }) {
  const may = usePermission();
  const [failed, setFailed] = useState<BulkResult<LogEntry>['failed']>([]);
  const picked = selection.ids.size === 0 ? [] : entries.filter(({ log_id }) => selection.ids.has(log_id));
  const run = useMutation({
    mutationFn: async (mark: Mark | null) => {
      const before: Change[] = [];
      const changed = picked.filter((entry) => (entry.mark ?? null) !== mark);
      const result = await runAll(changed, async (entry) => {
        const old = await feedbackOf(entry);
        await give({ entry, mark });
        before.push(old);
      });
      return { ...result, before };
    },
    onSuccess: async ({ before, failed: refused }) => {
      setFailed(refused);
      if (before.length > 0) toastUndo(text.done(before.length), () => undo.mutate(before));
      else if (refused.length === 0) toast(text.unchanged);
      await queries.invalidateQueries({ queryKey: ['logs'] });
    },
  });
  const undo = useMutation({
    mutationFn: (before: Change[]) => runAll(before, give),
    onSuccess: async ({ done, failed: refused }) => {
      setFailed(refused.map(({ item, reason }) => ({ item: item.entry, reason })));
      if (done.length > 0) toast(messages.feedback.undone);
      await queries.invalidateQueries({ queryKey: ['logs'] });
    },
  });
  return (
    <>
      <SelectionBar count={picked.length} onClear={selection.clear}>
        {may('LOGS:MARK_LOG') && picked.length <= MOST_AT_ONCE && (
          <Feedback isBusy={run.isPending || undo.isPending} onGive={(mark) => run.mutate(mark)} />
        )}
        {picked.length > MOST_AT_ONCE && <span className="text-xs">{text.tooMany(MOST_AT_ONCE)}</span>}
        {may('LOGS:EXPORT_LOG') && <DownloadCsv name={messages.table} csv={() => entriesCsv(picked)} />}
      </SelectionBar>
      {failed.length > 0 && <Failed of={failed} onClose={() => setFailed([])} />}
    </>
  );
}

function Feedback({ isBusy, onGive }: { isBusy: boolean; onGive: (mark: Mark | null) => void }) {
  return (
    <>
      {(['false_positive', 'missed_attack'] as const).map((mark) => (
        <Button key={mark} small busy={isBusy} onClick={() => onGive(mark)}>
          <Flag aria-hidden size={13} />
          {words(mark)}
        </Button>
      ))}
      <Button small busy={isBusy} onClick={() => onGive(null)}>
        {text.correct}
      </Button>
    </>
  );
}

function Failed({ of, onClose }: { of: BulkResult<LogEntry>['failed']; onClose: () => void }) {
  const named = of.map(({ item, reason }) => ({ name: `${moment(item.created_at)} ${item.text ?? ''}`, reason }));
  return (
    <Dialog
      title={messages.feedback.label}
      onClose={onClose}
      actions={<Button onClick={onClose}>{common.close}</Button>}
    >
      <Failures title={text.failed(of.length)} failed={named} />
    </Dialog>
  );
}
