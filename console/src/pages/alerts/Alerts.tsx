import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { messages } from '@/messages/alerts';
import { Page } from '@/ui/Page';
import { Tab, Tabs } from '@/ui/Tabs';
import { Rules } from './Rules';
import { Subscriptions } from './Subscriptions';

const route = getRouteApi('/app/alerts');
const TABS = Object.entries(messages.tabs);

/** Shows the alert rules, or the webhooks that receive events. */
export function Alerts() {
  const tab = route.useSearch().tab ?? 'rules';
  const navigate = route.useNavigate();
  const Content = tab === 'webhooks' ? Subscriptions : Rules;
  return (
    <Content
      frame={(intro, actions, children) => (
        <Page title={messages.title} intro={intro} actions={actions}>
          <Tabs
            name={messages.title}
            tabs={TABS}
            value={tab}
            onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
          >
            <Tab id={tab}>{children}</Tab>
          </Tabs>
        </Page>
      )}
    />
  );
}

/** Puts a tab into the page: introduction, actions, content. */
export type Frame = (intro: string, actions: ReactNode, children: ReactNode) => ReactNode;
