import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import type { Schema } from '@/api/client';
import { queries } from '@/api/queries';
import { ErrorPage } from '@/layout/ErrorPage';
import { lazyPage, type PageLoader } from '@/layout/lazyPage';
import { NotFound } from '@/layout/NotFound';
import { requirePermission } from '@/layout/RequirePermission';
import { Shell } from '@/layout/Shell';
import { basePath } from '@/lib/base';
import { type Period, relative } from '@/lib/period';
import { type LogFilters, readLogFilters } from '@/pages/logs/filters';
import { isSignedIn, watch } from '@/session/session';
import { Waiting } from '@/ui/Loaded';
import { Toasts } from '@/ui/toasts';

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Toasts />
    </>
  ),
  notFoundComponent: NotFound,
});

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Returns an identifier, which an address may have written like a number. */
const written = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : String(value);

const period = (search: Record<string, unknown>): Period => ({
  last: relative(text(search.last)) ? text(search.last) : undefined,
  from: instant(search.from),
  to: instant(search.to),
});
const instant = (value: unknown) => (Number.isNaN(Date.parse(text(value) ?? '')) ? undefined : text(value));

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } => ({ next: text(search.next) }),
  component: lazyPage(() => import('@/pages/sign-in/SignIn'), 'SignIn'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(() => import('@/pages/invitation/Invitation'), 'Invitation'),
});

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  beforeLoad: ({ location }) => {
    if (!isSignedIn())
      throw redirect({ to: '/sign-in', search: { next: location.href === '/' ? undefined : location.href } });
  },
});

/** A page that loads on first use and requires the permission `needs`. */
const page = <const Path extends string, Search extends object = object>(
  path: Path,
  needs: Schema<'PermissionName'> | null,
  load: PageLoader,
  name: string,
  validateSearch: (search: Record<string, unknown>) => Search = () => ({}) as Search,
) =>
  createRoute({
    getParentRoute: () => app,
    path,
    validateSearch,
    component: requirePermission(needs, lazyPage(load, name)),
  });

const routes = root.addChildren([
  signIn,
  invitation,
  app.addChildren([
    page(
      '/',
      'DASHBOARD:VIEW_DASHBOARD',
      () => import('@/pages/dashboard/Dashboard'),
      'Dashboard',
      (search): Period & { project?: string } => ({
        ...period(search),
        // Earlier versions wrote days; their links still work.
        last: text(search.last) ?? (Number(search.days) ? `${Number(search.days)}d` : undefined),
        project: text(search.project),
      }),
    ),
    page(
      '/logs',
      'LOGS:VIEW_LOG',
      () => import('@/pages/logs/Logs'),
      'Logs',
      (search): LogFilters & { entry?: string } => ({
        ...readLogFilters(search),
        // Earlier versions called it `row`; their links still work.
        entry: text(search.entry) ?? text(search.row),
      }),
    ),
    page(
      '/playground',
      null,
      () => import('@/pages/playground/Playground'),
      'Playground',
      (search): { tab?: string; text?: string; policy?: string } => ({
        tab: text(search.tab),
        text: text(search.text),
        policy: text(search.policy),
      }),
    ),
    page('/policies', 'FIREWALL_POLICIES:VIEW_POLICY', () => import('@/pages/policies/Policies'), 'Policies'),
    page(
      '/policies/$policyId',
      'FIREWALL_POLICIES:VIEW_POLICY',
      () => import('@/pages/policies/PolicyPage'),
      'PolicyPage',
      (search): { tab?: string } => ({ tab: text(search.tab) }),
    ),
    page(
      '/evaluation',
      'FIREWALL_POLICIES:VIEW_POLICY',
      () => import('@/pages/evaluation/Evaluation'),
      'Evaluation',
      (search): { tab?: string } => ({ tab: text(search.tab) }),
    ),
    page(
      '/evaluation/$runId',
      'FIREWALL_POLICIES:VIEW_POLICY',
      () => import('@/pages/evaluation/RunPage'),
      'RunPage',
      (search): { tab?: string } => ({ tab: text(search.tab) }),
    ),
    page('/projects', 'PROJECTS:VIEW_PROJECT', () => import('@/pages/projects/Projects'), 'Projects'),
    page(
      '/projects/$projectId',
      'PROJECTS:VIEW_PROJECT',
      () => import('@/pages/projects/ProjectPage'),
      'ProjectPage',
      (search): Period & { tab?: string } => ({ ...period(search), tab: text(search.tab) }),
    ),
    page('/keys', 'API_KEYS:VIEW_API_KEY', () => import('@/pages/api-keys/ApiKeys'), 'ApiKeys'),
    page(
      '/alerts',
      'CONNECTORS:VIEW_CONNECTOR',
      () => import('@/pages/alerts/Alerts'),
      'Alerts',
      (search): { tab?: string } => ({ tab: text(search.tab) }),
    ),
    page(
      '/connectors',
      'CONNECTORS:VIEW_CONNECTOR',
      () => import('@/pages/connectors/Connectors'),
      'Connectors',
      (search): { connector?: string } => ({ connector: text(search.connector) }),
    ),
    page(
      '/users',
      'USERS:VIEW_USER',
      () => import('@/pages/users/Users'),
      'Users',
      (search): { user?: string } => ({ user: text(search.user) }),
    ),
    page('/roles', 'ROLES:VIEW_ROLE', () => import('@/pages/roles/Roles'), 'Roles'),
    page('/organization', null, () => import('@/pages/organization/Organization'), 'Organization'),
    page('/credits', 'CREDITS:VIEW_CREDIT', () => import('@/pages/credits/Credits'), 'Credits', period),
    page(
      '/audit',
      'AUDIT:VIEW_AUDIT',
      () => import('@/pages/audit/Audit'),
      'Audit',
      (search): Period & { action?: string; principal?: string; entry?: number } => ({
        ...period(search),
        action: text(search.action),
        principal: text(search.principal),
        entry: Number(search.entry) > 0 ? Math.floor(Number(search.entry)) : undefined,
      }),
    ),
    page(
      '/reviews',
      'REVIEWS:VIEW_REVIEW',
      () => import('@/pages/reviews/Reviews'),
      'Reviews',
      (search): { status?: string; review?: string } => ({ status: text(search.status), review: text(search.review) }),
    ),
    page(
      '/tickets',
      'CONNECTORS:VIEW_CONNECTOR',
      () => import('@/pages/tickets/Tickets'),
      'Tickets',
      (search): { status?: string; connector?: string } => ({
        status: text(search.status),
        connector: text(search.connector),
      }),
    ),
    page(
      '/conversation',
      'LOGS:VIEW_LOG',
      () => import('@/pages/conversation/Conversation'),
      'Conversation',
      (search): { id?: string; entry?: string } => ({ id: written(search.id), entry: text(search.entry) }),
    ),
    page('/engine', 'ENGINE:VIEW_ENGINE', () => import('@/pages/engine/Engine'), 'Engine'),
    page('/clients', 'PROJECTS:VIEW_PROJECT', () => import('@/pages/gateway/Gateway'), 'Gateway'),
    page('/start', 'PROJECTS:CREATE_PROJECT', () => import('@/pages/start/Start'), 'Start'),
    page('/profile', null, () => import('@/pages/profile/Profile'), 'Profile'),
  ]),
]);

/** All addresses of the console. */
export const router = createRouter({
  routeTree: routes,
  basepath: basePath === '' ? '/' : basePath,
  defaultPreload: 'intent',
  defaultPendingComponent: () => (
    <div className="p-6">
      <Waiting />
    </div>
  ),
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
});

// Signing out leads to the sign-in page and clears all cached data.
watch(() => {
  if (isSignedIn()) return;
  queries.clear();
  void router.invalidate();
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
