import { getRouteApi } from '@tanstack/react-router';
import { messages } from '@/messages/evaluation';
import { usePermission } from '@/session/me';
import { Page } from '@/ui/Page';
import { Tab, Tabs } from '@/ui/Tabs';
import { Datasets } from './Datasets';
import { CreateDatasetButton } from './NewDataset';
import { Runs } from './Runs';

const route = getRouteApi('/app/evaluation');
const TABS = Object.entries(messages.tabs);

/** Datasets, and runs of policies over them. */
export function Evaluation() {
  const may = usePermission();
  const { tab = 'runs' } = route.useSearch();
  const navigate = route.useNavigate();
  const add = may('FIREWALL_POLICIES:UPDATE_POLICY') && <CreateDatasetButton kind="primary" />;
  return (
    <Page title={messages.title} intro={messages.intro} actions={add}>
      <Tabs
        name={messages.title}
        tabs={TABS}
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next === 'runs' ? undefined : next } })}
      >
        <Tab id="runs">
          <Runs />
        </Tab>
        <Tab id="datasets">
          <Datasets />
        </Tab>
      </Tabs>
    </Page>
  );
}
