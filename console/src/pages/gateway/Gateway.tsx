import { messages as text } from '@/messages/gateway';
import { ConnectClient } from '@/pages/connect/ConnectClient';
import { usePermission } from '@/session/me';
import { Card, Page } from '@/ui/Page';
import { Calls } from './Calls';
import { Routes } from './Routes';

/** Connects clients, and shows the routes of all projects and recent calls. */
export function Gateway() {
  const may = usePermission();
  return (
    <Page title={text.title} intro={text.intro}>
      <Card title={text.connect}>
        <ConnectClient />
      </Card>
      <Routes />
      {may('LOGS:VIEW_LOG') && <Calls />}
    </Page>
  );
}
