import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, ChevronRight } from 'lucide-react';
import { keys, policies, projects } from '@/api/data';
import { usePermission } from '@/session/me';
import { classes } from '@/ui/classes';
import { Card } from '@/ui/Page';

/** The way from the first sign-in to the first blocked prompt; gone once it was walked. */
export function GettingStarted({ blocked }: { blocked: number }) {
  const may = usePermission();
  const isMaker =
    may('FIREWALL_POLICIES:CREATE_POLICY') && may('PROJECTS:CREATE_PROJECT') && may('API_KEYS:CREATE_API_KEY');
  const [known, made, issued] = [
    useQuery({ ...policies, enabled: isMaker }),
    useQuery({ ...projects, enabled: isMaker }),
    useQuery({ ...keys, enabled: isMaker }),
  ];
  if (!isMaker || known.data === undefined || made.data === undefined || issued.data === undefined) return null;
  const steps = [
    {
      done: known.data.length > 0,
      to: '/policies',
      label: 'Make a policy',
      why: 'It says what is looked for, and what happens then. A template is a good start.',
    },
    {
      done: made.data.length > 0,
      to: '/projects',
      label: 'Make a project',
      why: 'One for each application; it names the policy that decides.',
    },
    {
      done: issued.data.length > 0,
      to: '/keys',
      label: 'Create an API key',
      why: 'Your application shows it with every request.',
    },
    {
      done: blocked > 0,
      to: '/playground',
      label: 'See an attack blocked',
      why: 'Send one from the playground, or from your application.',
    },
  ] as const;
  const next = steps.findIndex(({ done }) => !done);
  if (next === -1) return null;
  return (
    <Card title="First steps" note={`${steps.filter(({ done }) => done).length} of ${steps.length} done`}>
      <ol className="grid gap-2 md:grid-cols-2 xl:grid-cols-4">
        {steps.map(({ done, to, label, why }, index) => (
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
                  {done && <span className="sr-only"> (done)</span>}
                </span>
                <span className="block text-xs text-quiet">{why}</span>
              </span>
              {index === next && <ChevronRight aria-hidden size={16} className="mt-0.5 text-accent" />}
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}
