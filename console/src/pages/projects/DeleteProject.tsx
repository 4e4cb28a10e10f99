import { answer, api, type Schema } from '@/api/client';
import { queries } from '@/api/queries';
import { fill } from '@/lib/fill';
import { common } from '@/messages/common';
import { messages } from '@/messages/projects';
import { Confirm } from '@/ui/Confirm';

type Props = { project: Schema<'ProjectRecord'>; onClose: () => void; onDeleted?: () => Promise<void> };

/** Asks before it deletes a project. */
export function DeleteProject({ project: { projectId, projectName }, onClose, onDeleted }: Props) {
  return (
    <Confirm
      title={messages.deleteTitle}
      verb={common.delete}
      act={() => answer(api.DELETE('/api/project/{projectId}', { params: { path: { projectId } } }))}
      onClose={onClose}
      onDone={async () => {
        onClose();
        await onDeleted?.();
        await queries.invalidateQueries({ queryKey: ['projects'] });
      }}
    >
      <p>{fill(messages.deleteBody, { name: <strong>{projectName}</strong> })}</p>
    </Confirm>
  );
}
