import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { queries } from '@/api/queries';
import { fill } from '@/lib/fill';
import { collator } from '@/lib/table';
import { messages } from '@/messages/connectors';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Dialog } from '@/ui/Dialog';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Pill } from '@/ui/Pill';
import { CodeBlock } from '@/ui/ScrollArea';
import { Ago } from '@/ui/Time';

const text = messages.tools;

type Tool = Schema<'ServerTool'>;
type Props = { connector: Schema<'ListedConnector'>; onClose: () => void };

/** The tools of an MCP server as they were accepted, and changes that wait to be accepted. */
export function ServerTools({ connector: { id, name }, onClose }: Props) {
  const [accepted, setAccepted] = useState<Tool | null>(null);
  const query = useQuery({
    queryKey: ['connectors', id, 'tools'],
    queryFn: async () =>
      (await answer(api.GET('/api/connectors/{id}/tools', { params: { path: { id } } }))).tools.toSorted(
        (one, other) => Number(other.is_changed) - Number(one.is_changed) || collator.compare(one.name, other.name),
      ),
  });
  return (
    <Dialog wide title={text.title(name)} onClose={onClose}>
      <p className="mb-3 text-body text-quiet">{text.intro}</p>
      <Loaded query={query}>
        {(tools) =>
          tools.length === 0 ? (
            <Empty title={text.emptyTitle}>{text.emptyBody}</Empty>
          ) : (
            <ul className="space-y-2">
              {tools.map((tool) => (
                <ToolItem key={tool.name} tool={tool} onAccept={() => setAccepted(tool)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {accepted && <Accept connector={id} tool={accepted} onClose={() => setAccepted(null)} />}
    </Dialog>
  );
}

const written = (definition: unknown) => JSON.stringify(definition, null, 2);

function ToolItem({ tool, onAccept }: { tool: Tool; onAccept: () => void }) {
  const may = usePermission();
  return (
    <li className="rounded-md border border-line px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body">
        <code className="min-w-0 font-mono text-xs font-semibold break-all">{tool.name}</code>
        <Pill tone={tool.is_changed ? 'challenge' : 'allow'}>{tool.is_changed ? text.changed : text.pinned}</Pill>
        <span className="text-xs text-quiet">
          {tool.changed_at
            ? fill(text.changedAt, { time: <Ago at={tool.changed_at} /> })
            : fill(text.seenAt, { time: <Ago at={tool.first_seen_at} /> })}
        </span>
        {tool.is_changed && may('CONNECTORS:UPDATE_CONNECTOR') && (
          <Button small className="ml-auto" onClick={onAccept}>
            {text.accept}
            <span className="sr-only"> {tool.name}</span>
          </Button>
        )}
      </div>
      <details open={tool.is_changed} className="mt-1">
        <summary className="text-xs text-quiet">{text.definition}</summary>
        <div className={tool.is_changed ? 'mt-2 grid gap-2 md:grid-cols-2' : 'mt-2'}>
          <Definition title={text.accepted} of={tool.definition} digest={tool.digest} />
          {tool.changed_digest && (
            <Definition title={text.sent} of={tool.changed_definition} digest={tool.changed_digest} />
          )}
        </div>
      </details>
    </li>
  );
}

function Definition({ title, of, digest }: { title: string; of: unknown; digest: string }) {
  return (
    <div className="min-w-0">
      <p className="text-xs font-semibold text-quiet">{title}</p>
      <CodeBlock className="mt-1 max-h-56 overflow-auto rounded bg-sunken p-2 font-mono text-xs whitespace-pre-wrap">
        {written(of)}
      </CodeBlock>
      <p className="mt-1 font-mono text-2xs break-all text-quiet">{text.digest(digest)}</p>
    </div>
  );
}

type AcceptProps = { connector: string; tool: Tool; onClose: () => void };

function Accept({ connector: id, tool: { name, changed_digest }, onClose }: AcceptProps) {
  return (
    <Confirm
      title={text.acceptTitle}
      verb={text.accept}
      act={() =>
        answer(
          api.POST('/api/connectors/{id}/tools/accept', {
            params: { path: { id } },
            body: { name, digest: changed_digest ?? '' },
          }),
        )
      }
      onClose={onClose}
      onDone={() => {
        onClose();
        void queries.invalidateQueries({ queryKey: ['connectors', id, 'tools'] });
      }}
    >
      <p>{fill(text.acceptBody, { name: <code className="font-mono">{name}</code> })}</p>
    </Confirm>
  );
}
