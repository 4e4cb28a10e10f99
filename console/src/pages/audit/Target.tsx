import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEntry } from './data';
import { kindOf } from './targets';

const LINK = 'text-accent hover:underline';

/** The object of an audit entry: its name, or else the identifier, with a link to its page. */
export function Target({ entry, name }: { entry: AuditEntry; name: string | undefined }) {
  const { action, target } = entry;
  if (target === '') return null;
  const shown = name ?? target;
  const text = (
    <span title={name === undefined || name === target ? undefined : target} className="wrap-anywhere">
      {shown}
    </span>
  );
  // Deleted objects have no page.
  return /:(DELETE|REVOKE)_/.test(action) ? text : (linkOf(entry, text) ?? text);
}

function linkOf({ action, target }: AuditEntry, text: ReactNode): ReactNode {
  switch (kindOf(action)) {
    case 'policy':
      return (
        <Link to="/policies/$policyId" params={{ policyId: target }} className={LINK}>
          {text}
        </Link>
      );
    case 'project':
      return (
        <Link to="/projects/$projectId" params={{ projectId: target }} className={LINK}>
          {text}
        </Link>
      );
    case 'run':
      return (
        <Link to="/evaluation/$runId" params={{ runId: target }} className={LINK}>
          {text}
        </Link>
      );
    case 'log':
      return (
        <Link to="/logs" search={{ entry: target }} className={LINK}>
          {text}
        </Link>
      );
    case 'review':
      return (
        <Link to="/reviews" search={{ review: target }} className={LINK}>
          {text}
        </Link>
      );
    case 'user':
      return (
        <Link to="/users" search={{ user: target }} className={LINK}>
          {text}
        </Link>
      );
    default:
      return pageOf(action, text);
  }
}

// Pages that list what an action is about.
const LISTS = {
  connector: '/connectors',
  alert: '/alerts',
  key: '/keys',
  role: '/roles',
} as const;

function pageOf(action: string, text: ReactNode): ReactNode {
  const kind = kindOf(action);
  const to = kind !== null && kind in LISTS ? LISTS[kind as keyof typeof LISTS] : null;
  return (
    to && (
      <Link to={to} className={LINK}>
        {text}
      </Link>
    )
  );
}
