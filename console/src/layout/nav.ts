import {
  Activity,
  Bell,
  Building2,
  Coins,
  Cpu,
  FlaskConical,
  FolderKanban,
  Gauge,
  History,
  KeyRound,
  type LucideIcon,
  Plug,
  Scale,
  ShieldCheck,
  Ticket,
  UserCheck,
  UserCog,
  Users,
  Waypoints,
} from 'lucide-react';
import type { Schema } from '@/api/client';
import { messages } from '@/messages/layout';

/** A page in the navigation and the permission that it requires. */
export type Entry = { to: string; label: string; icon: LucideIcon; needs: Schema<'PermissionName'> | null };

/** The navigation, grouped by task. */
export const NAVIGATION: { group: string; entries: Entry[] }[] = [
  {
    group: messages.groups.observe,
    entries: [
      { to: '/', label: messages.nav.dashboard, icon: Gauge, needs: 'DASHBOARD:VIEW_DASHBOARD' },
      { to: '/logs', label: messages.nav.logs, icon: Activity, needs: 'LOGS:VIEW_LOG' },
      { to: '/reviews', label: messages.nav.reviews, icon: UserCheck, needs: 'REVIEWS:VIEW_REVIEW' },
      { to: '/tickets', label: messages.nav.tickets, icon: Ticket, needs: 'CONNECTORS:VIEW_CONNECTOR' },
      { to: '/alerts', label: messages.nav.alerts, icon: Bell, needs: 'CONNECTORS:VIEW_CONNECTOR' },
      { to: '/engine', label: messages.nav.engine, icon: Cpu, needs: 'ENGINE:VIEW_ENGINE' },
    ],
  },
  {
    group: messages.groups.protect,
    entries: [
      { to: '/policies', label: messages.nav.policies, icon: ShieldCheck, needs: 'FIREWALL_POLICIES:VIEW_POLICY' },
      { to: '/evaluation', label: messages.nav.evaluation, icon: Scale, needs: 'FIREWALL_POLICIES:VIEW_POLICY' },
      { to: '/playground', label: messages.nav.playground, icon: FlaskConical, needs: null },
      { to: '/projects', label: messages.nav.projects, icon: FolderKanban, needs: 'PROJECTS:VIEW_PROJECT' },
    ],
  },
  {
    group: messages.groups.connect,
    entries: [
      { to: '/clients', label: messages.nav.gateway, icon: Waypoints, needs: 'PROJECTS:VIEW_PROJECT' },
      { to: '/keys', label: messages.nav.apiKeys, icon: KeyRound, needs: 'API_KEYS:VIEW_API_KEY' },
      { to: '/connectors', label: messages.nav.connectors, icon: Plug, needs: 'CONNECTORS:VIEW_CONNECTOR' },
    ],
  },
  {
    group: messages.groups.organization,
    entries: [
      { to: '/users', label: messages.nav.users, icon: Users, needs: 'USERS:VIEW_USER' },
      { to: '/roles', label: messages.nav.roles, icon: UserCog, needs: 'ROLES:VIEW_ROLE' },
      { to: '/organization', label: messages.nav.organization, icon: Building2, needs: null },
      { to: '/credits', label: messages.nav.credits, icon: Coins, needs: 'CREDITS:VIEW_CREDIT' },
      { to: '/audit', label: messages.nav.audit, icon: History, needs: 'AUDIT:VIEW_AUDIT' },
    ],
  },
];
