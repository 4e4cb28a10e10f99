import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, ChevronRight } from 'lucide-react';
import { answer, api } from '@/api/client';
import { keys, policies, projects } from '@/api/data';
import { hasBlockedOnce } from '@/lib/firstBlock';
import { messages } from '@/messages/dashboard';
import { me, usePermission } from '@/session/me';
import { classes } from '@/ui/classes';
import { Card } from '@/ui/Page';

const text = messages.start;

/** The steps from the first sign-in to the first blocked prompt. Hidden once all are done, in any period and project. */
export function GettingStarted() {
  const may = usePermission();
  const canSetUp =
    may('FIREWALL_POLICIES:CREATE_POLICY') && may('PROJECTS:CREATE_PROJECT') && may('API_KEYS:CREATE_API_KEY');
  const [known, made, issued] = [
    useQuery({ ...policies, enabled: canSetUp }),
    useQuery({ ...projects, enabled: canSetUp }),
    useQuery({ ...keys, enabled: canSetUp }),
  ];
  const hasBlocked = useHasBlocked(canSetUp);
  if (!canSetUp || known.data === undefined || made.data === undefined || issued.data === undefined) return null;
  if (hasBlocked === undefined) return null;
  const steps = [
    {
      done: known.data.length > 0,
      to: '/policies',
      label: text.policy,
      help: text.policyHelp,
    },
    {
      done: made.data.length > 0,
      to: '/projects',
      label: text.project,
      help: text.projectHelp,
    },
    {
      done: issued.data.length > 0,
      to: '/keys',
      label: text.apiKey,
      help: text.apiKeyHelp,
    },
    {
      done: hasBlocked,
      to: '/playground',
      label: text.attack,
      help: text.attackHelp,
    },
  ] as const;
  const next = steps.findIndex(({ done }) => !done);
  if (next === -1) return null;
  return (
    <Card
      title={text.title}
      note={text.progress(steps.filter(({ done }) => done).length, steps.length)}
      actions={
        <Link
          to="/start"
          className="inline-flex min-h-8.5 items-center rounded-md bg-accent px-3 text-body font-medium text-accent-ink"
        >
          {text.guide}
        </Link>
      }
    >
      <ol className="grid gap-2 md:grid-cols-2 xl:grid-cols-4">
        {steps.map(({ done, to, label, help }, index) => (
          <li key={label}>
            <Link
              to={to}
              className={classes(
                'flex h-full items-start gap-3 rounded-md border px-3 py-2.5',
                index === next ? 'border-accent bg-accent-soft' : 'border-line hover:bg-sunken',
              )}
            >
              <span
                aria-hidden
                className={classes(
                  'mt-0.5 grid size-5 shrink-0 place-items-center rounded-full text-2xs font-semibold',
                  done ? 'bg-allow text-surface' : 'border border-edge text-quiet',
                )}
              >
                {done ? <Check size={12} /> : index + 1}
              </span>
              <span className="min-w-0 flex-1">
                <span className="block text-body font-medium">
                  {label}
                  {done && <span className="sr-only"> {text.done}</span>}
                </span>
                <span className="block text-xs text-quiet">{help}</span>
              </span>
              {index === next && <ChevronRight aria-hidden size={16} className="mt-0.5 text-accent" />}
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Returns whether a request of the organization, or a dry run in this browser, was ever blocked. */
function useHasBlocked(isNeeded: boolean): boolean | undefined {
  const may = usePermission();
  const organization = useQuery(me).data?.org_id;
  const isKnown = organization !== undefined && hasBlockedOnce(organization);
  const query = useQuery({
    queryKey: ['logs', 'first block'],
    queryFn: async () =>
      (await answer(api.GET('/api/logs', { params: { query: { decision: ['block'], limit: 1 } } }))).logs.length > 0,
    // Once true, it stays true.
    staleTime: ({ state }) => (state.data ? Infinity : 0),
    refetchInterval: ({ state }) => (state.data ? false : 15_000),
    enabled: isNeeded && !isKnown && may('LOGS:VIEW_LOG'),
  });
  return isKnown || query.data;
}
