import { useQuery } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import { projects } from '@/api/data';
import { messages } from '@/messages/layout';
import { usePermission } from '@/session/me';

/** Says that users who belong to no project and cannot make one see no requests, which looks like an idle service. */
export function NoProject() {
  const may = usePermission();
  const depends = may('PROJECTS:VIEW_PROJECT') && !may('PROJECTS:CREATE_PROJECT');
  const { data } = useQuery({ ...projects, enabled: depends });
  if (!depends || data?.length !== 0) return null;
  return (
    <p className="flex items-center gap-2 border-b border-line bg-accent-soft px-4 py-2 text-body">
      <Info aria-hidden size={16} className="shrink-0 text-accent" />
      {messages.noProject}
    </p>
  );
}
