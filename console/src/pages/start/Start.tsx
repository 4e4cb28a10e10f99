import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PartyPopper } from 'lucide-react';
import { useState } from 'react';
import { projects } from '@/api/data';
import { messages as text } from '@/messages/start';
import { ConnectClient } from '@/pages/connect/ConnectClient';
import type { LogEntry } from '@/pages/logs/useTail';
import { Button } from '@/ui/Button';
import { Card, Page } from '@/ui/Page';
import { ChooseProject } from './ChooseProject';

/** Guides from the first sign-in to the first blocked prompt of the user's own application. */
export function Start() {
  const known = useQuery(projects).data ?? [];
  const [project, setProject] = useState<string | null>(null);
  const [stopped, setStopped] = useState<LogEntry | null>(null);
  const name = known.find(({ projectId }) => projectId === project)?.projectName;
  return (
    <Page title={text.title} intro={text.intro}>
      <div className="flex max-w-5xl flex-col gap-4">
        <Card title={text.policyTitle}>
          {project === null ? (
            <ChooseProject known={known} onChoose={setProject} />
          ) : (
            <p className="flex flex-wrap items-center gap-3 text-body">
              <span className="font-medium">{text.chosen(name ?? project)}</span>
              <Button small onClick={() => setProject(null)}>
                {text.change}
              </Button>
            </p>
          )}
        </Card>
        {project !== null && (
          <Card title={text.connectTitle}>
            <ConnectClient
              key={project}
              project={project}
              onArrived={(entries) => setStopped(entries.find(isStopped) ?? stopped)}
            />
          </Card>
        )}
        {stopped && <Done entry={stopped} />}
      </div>
    </Page>
  );
}

const isStopped = ({ decision }: LogEntry) => decision !== 'allow' && decision !== 'mask';

const LINK = 'text-accent underline';

function Done({ entry: { log_id, policyId, decision } }: { entry: LogEntry }) {
  return (
    <Card>
      <div role="status" className="flex flex-wrap items-center gap-4 py-1">
        <PartyPopper aria-hidden size={28} className="text-allow" />
        <div className="min-w-0 flex-1 basis-64 text-body">
          <h2 className="text-title font-semibold">{text.done(decision === 'block')}</h2>
          <p className="text-quiet">{text.doneBody}</p>
        </div>
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-body">
          <Link to="/logs" search={{ entry: log_id }} className={LINK}>
            {text.entry}
          </Link>
          {policyId && (
            <Link to="/policies/$policyId" params={{ policyId }} className={LINK}>
              {text.policy}
            </Link>
          )}
          <Link to="/" className={LINK}>
            {text.dashboard}
          </Link>
        </p>
      </div>
    </Card>
  );
}
