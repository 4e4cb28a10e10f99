import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { policies, projects, userNames } from '@/api/data';
import { chooseLanguage, LANGUAGES, type Language } from '@/lib/language';
import { messages } from '@/messages/layout';
import { me, usePermission } from '@/session/me';
import { signOut } from '@/session/session';
import { NAVIGATION } from './nav';
import { choose } from './theme';

/** What the command palette can do. `type` says what it is; `also` is found like the label, but not shown. */
export type Command = { id: string; label: string; type: string; also?: string; run: () => void };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
// More would not be read.
const SHOWN = 50;

const text = messages.palette;

/** Returns the commands that match every word of `sought`, those that begin with it first. */
export function matching(commands: Command[], sought: string): Command[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ label }: Command) => (label.toLowerCase().startsWith(words.join(' ')) ? 0 : 1);
  return commands
    .filter(({ label, type, also = '' }) => {
      const searched = `${label} ${type} ${also}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    })
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, SHOWN);
}

/** Returns the commands for what was typed. An identifier of nothing else is taken for that of a log entry. The log is
 * searched for everything else. */
export function useCommands(sought: string): Command[] {
  const may = usePermission();
  const navigate = useNavigate();
  const found = matching([...usePages(), ...useNamed()], sought);
  const id = sought.trim().toLowerCase();
  if (id === '' || !may('LOGS:VIEW_LOG')) return found;
  const search = () => void navigate({ to: '/logs', search: { q: sought.trim() } });
  const inLogs = { id: 'search', label: text.searchLogs(sought.trim()), type: text.types.command, run: search };
  if (found.length > 0 || !UUID.test(id)) return [...found, inLogs];
  const open = () => void navigate({ to: '/logs', search: { entry: id } });
  return [{ id, label: text.openEntry(id), type: text.types.entry, run: open }, inLogs];
}

function usePages(): Command[] {
  const may = usePermission();
  const navigate = useNavigate();
  const pages = NAVIGATION.flatMap(({ entries }) => entries).filter(({ needs }) => needs === null || may(needs));
  const command = (label: string, run: () => void): Command => ({ id: label, label, type: text.types.command, run });
  return [
    ...pages.map(({ label, to }) => ({ id: to, label, type: text.types.page, run: () => void navigate({ to }) })),
    { id: '/profile', label: messages.profile, type: text.types.page, run: () => void navigate({ to: '/profile' }) },
    command(text.lightTheme, () => choose('light')),
    command(text.darkTheme, () => choose('dark')),
    command(text.systemTheme, () => choose(null)),
    ...Object.entries(LANGUAGES).map(([language, name]) =>
      command(messages.language(name), () => chooseLanguage(language as Language)),
    ),
    command(messages.signOut, () => void signOut()),
  ];
}

/** The policies, projects and users that the caller may open, found by name and by identifier. */
function useNamed(): Command[] {
  const may = usePermission();
  const navigate = useNavigate();
  const self = useQuery(me).data?.user_id;
  const known = {
    policies: useQuery({ ...policies, enabled: may('FIREWALL_POLICIES:VIEW_POLICY') }).data ?? [],
    projects: useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [],
    users: useQuery({ ...userNames, enabled: may('USERS:VIEW_USER') && may('USERS:UPDATE_USER') }).data ?? [],
  };
  return [
    ...known.policies.map(({ policyId, policyName }) => ({
      id: policyId,
      label: policyName,
      type: text.types.policy,
      also: policyId,
      run: () => void navigate({ to: '/policies/$policyId', params: { policyId } }),
    })),
    ...known.projects.map(({ projectId, projectName }) => ({
      id: projectId,
      label: projectName,
      type: text.types.project,
      also: projectId,
      run: () => void navigate({ to: '/projects/$projectId', params: { projectId } }),
    })),
    ...known.users
      .filter(({ user_id }) => user_id !== self)
      .map(({ user_id, username }) => ({
        id: user_id,
        label: username,
        type: text.types.user,
        also: user_id,
        run: () => void navigate({ to: '/users', search: { user: user_id } }),
      })),
  ];
}
