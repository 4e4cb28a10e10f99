import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { FlaskConical, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { policies } from '@/api/data';
import { queries } from '@/api/queries';
import { fill } from '@/lib/fill';
import type { StoredPolicy } from '@/lib/policy';
import { common } from '@/messages/common';
import { messages } from '@/messages/policies';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { classes } from '@/ui/classes';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Page } from '@/ui/Page';
import { Tab, Tabs } from '@/ui/Tabs';
import { Compliance } from './Compliance';
import { DraftBar } from './DraftBar';
import { General } from './General';
import { Guardrails } from './Guardrails';
import { Keywords } from './Keywords';
import { PolicyJson } from './PolicyJson';
import { Replay } from './replay/Replay';
import { Shadow } from './Shadow';
import { useDraft } from './useDraft';
import { Versions } from './Versions';

const text = messages.page;
const route = getRouteApi('/app/policies/$policyId');
const TABS = [
  ['guardrails', text.tabs.guardrails],
  ['keywords', text.tabs.keywords],
  ['general', text.tabs.general],
  ['compliance', text.tabs.compliance],
  ['json', text.tabs.json],
  ['replay', text.tabs.replay],
  ['shadow', text.tabs.shadow],
  ['versions', text.tabs.versions],
] as const;

/** Edits, tests and publishes one policy. */
export function PolicyPage() {
  const { policyId } = route.useParams();
  const query = useQuery(policies);
  return (
    <Loaded query={query} lines={10}>
      {(known) => {
        const stored = known.find((one) => one.policyId === policyId);
        // The key starts a new draft for a new version.
        return stored ? (
          <Editor key={`${policyId} ${stored.version}`} stored={stored} />
        ) : (
          <Page title={text.title}>
            <div className="card">
              <Empty
                title={text.missing}
                action={
                  <Link to="/policies" className="text-accent underline">
                    {text.all}
                  </Link>
                }
              />
            </div>
          </Page>
        );
      }}
    </Loaded>
  );
}

function Editor({ stored }: { stored: StoredPolicy }) {
  const may = usePermission();
  const navigate = useNavigate();
  const tab = route.useSearch().tab ?? 'guardrails';
  const draft = useDraft(stored);
  const [isDeleting, setDeleting] = useState(false);
  const locked = !may('FIREWALL_POLICIES:UPDATE_POLICY');
  const { policyId, policyName } = stored;
  return (
    <Page
      title={policyName}
      intro={stored.policyDescription}
      actions={
        <>
          <Link
            to="/playground"
            search={{ policy: policyId }}
            className={classes(
              'inline-flex min-h-8.5 items-center gap-1.5 rounded-md border border-line bg-surface px-3',
              'text-body font-medium hover:bg-sunken',
            )}
          >
            <FlaskConical aria-hidden size={14} />
            {text.test}
          </Link>
          {may('FIREWALL_POLICIES:DELETE_POLICY') && (
            <Button kind="danger" onClick={() => setDeleting(true)}>
              <Trash2 aria-hidden size={14} />
              {common.delete}
            </Button>
          )}
        </>
      }
    >
      {!locked && <DraftBar stored={stored} draft={draft} />}
      {locked && <p className="rounded-md bg-sunken px-3 py-2 text-body text-quiet">{text.locked}</p>}
      <Tabs
        name={text.sections}
        tabs={TABS}
        value={tab}
        onChange={(next) =>
          void navigate({ to: '/policies/$policyId', params: { policyId }, search: { tab: next }, replace: true })
        }
      >
        <Tab id="guardrails">
          <Guardrails draft={draft} locked={locked} />
        </Tab>
        <Tab id="keywords">
          <Keywords draft={draft} locked={locked} />
        </Tab>
        <Tab id="general">
          <General draft={draft} locked={locked} />
        </Tab>
        <Tab id="compliance">
          <Compliance stored={stored} draft={draft} locked={locked} />
        </Tab>
        <Tab id="json">
          <PolicyJson stored={stored} draft={draft} locked={locked} />
        </Tab>
        <Tab id="replay">
          <Replay stored={stored} draft={draft} />
        </Tab>
        <Tab id="shadow">
          <Shadow stored={stored} draft={draft} />
        </Tab>
        <Tab id="versions">
          <Versions stored={stored} locked={locked} />
        </Tab>
      </Tabs>
      {isDeleting && (
        <Confirm
          title={text.deleteTitle}
          verb={common.delete}
          act={() => answer(api.DELETE('/api/policy/{policyId}', { params: { path: { policyId } } }))}
          onClose={() => setDeleting(false)}
          onDone={async () => {
            await navigate({ to: '/policies' });
            await queries.invalidateQueries({ queryKey: ['policies'] });
          }}
        >
          <p>{fill(text.deleteBody, { name: <strong>{policyName}</strong> })}</p>
        </Confirm>
      )}
    </Page>
  );
}
