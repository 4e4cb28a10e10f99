import {
  Activity,
  Coins,
  FlaskConical,
  FolderKanban,
  Gauge,
  History,
  KeyRound,
  type LucideIcon,
  Plug,
  ShieldCheck,
  Ticket,
  UserCheck,
  UserCog,
  Users,
} from 'lucide-react';

/** A page as the navigation names it, and the permission that it needs. */
export type Entry = { to: string; label: string; icon: LucideIcon; needs: string | null };

/** The navigation, by what one comes for. */
export const NAVIGATION: { group: string; entries: Entry[] }[] = [
  {
    group: 'Observe',
    entries: [
      { to: '/', label: 'Dashboard', icon: Gauge, needs: 'DASHBOARD:VIEW_DASHBOARD' },
      { to: '/logs', label: 'Live logs', icon: Activity, needs: 'LOGS:VIEW_LOG' },
      { to: '/reviews', label: 'Review queue', icon: UserCheck, needs: 'REVIEWS:VIEW_REVIEW' },
      { to: '/tickets', label: 'Tickets', icon: Ticket, needs: 'CONNECTORS:VIEW_CONNECTOR' },
    ],
  },
  {
    group: 'Protect',
    entries: [
      { to: '/policies', label: 'Policies', icon: ShieldCheck, needs: 'FIREWALL_POLICIES:VIEW_POLICY' },
      { to: '/playground', label: 'Playground', icon: FlaskConical, needs: null },
      { to: '/projects', label: 'Projects', icon: FolderKanban, needs: 'PROJECTS:VIEW_PROJECT' },
    ],
  },
  {
    group: 'Connect',
    entries: [
      { to: '/keys', label: 'API keys', icon: KeyRound, needs: 'API_KEYS:VIEW_API_KEY' },
      { to: '/connectors', label: 'Connectors', icon: Plug, needs: 'CONNECTORS:VIEW_CONNECTOR' },
    ],
  },
  {
    group: 'Organisation',
    entries: [
      { to: '/users', label: 'Users', icon: Users, needs: 'USERS:VIEW_USER' },
      { to: '/roles', label: 'Roles', icon: UserCog, needs: 'ROLES:VIEW_ROLE' },
      { to: '/credits', label: 'Credits', icon: Coins, needs: 'CREDITS:VIEW_CREDIT' },
      { to: '/audit', label: 'Audit trail', icon: History, needs: 'AUDIT:VIEW_AUDIT' },
    ],
  },
];
