import type { Schema } from '@/api/client';
import { messages } from '@/messages/projects';
import { Dialog } from '@/ui/Dialog';
import { Members } from './Members';

type Props = { project: Schema<'ProjectRecord'>; onClose: () => void };

/** Shows the members of a project in a dialog. */
export function MembersDialog({ project: { projectId, projectName }, onClose }: Props) {
  return (
    <Dialog title={messages.membersOf(projectName)} onClose={onClose}>
      <Members projectId={projectId} />
    </Dialog>
  );
}
