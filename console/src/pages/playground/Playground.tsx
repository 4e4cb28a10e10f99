import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { messages } from '@/messages/playground';
import { usePermission } from '@/session/me';
import { Waiting } from '@/ui/Loaded';
import { Page } from '@/ui/Page';
import { Tab, Tabs } from '@/ui/Tabs';
import { Audio } from './Audio';
import { Batch } from './Batch';
import { Conversation } from './Conversation';
import { Documents } from './Documents';
import type { PolicyChoice } from './evaluate';
import { Images } from './Images';
import { Masking } from './Masking';
import { ObfuscationTest } from './ObfuscationTest';
import { usePolicyChoices } from './PolicyPicker';
import { SingleText } from './SingleText';

const route = getRouteApi('/app/playground');
const { tabs: labels } = messages;

/** Tests policies before they are used. */
export function Playground() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = usePermission();
  const choices = usePolicyChoices();
  const [text, setText] = useState<string>(search.text ?? messages.samples.attack);
  const [picked, setPicked] = useState<PolicyChoice | null>(search.policy ? `policy:${search.policy}` : null);
  const first = choices.policies[0]?.[0] ?? choices.projects[0]?.[0];
  const choice = picked ?? first;
  const live = choice?.startsWith('project:') ? choice : choices.projects[0]?.[0];
  const tabs = [
    ['prompt', labels.prompt],
    ['response', labels.response],
    ['conversation', labels.conversation],
    ['documents', labels.documents],
    ...(live
      ? [
          ['images', labels.images],
          ['audio', labels.audio],
        ]
      : []),
    ['obfuscation', labels.obfuscation],
    ...(may('FIREWALL:MASK') ? [['masking', labels.masking]] : []),
    ['batch', labels.batch],
  ] as [string, string][];
  const tab = tabs.some(([id]) => id === search.tab) ? (search.tab as string) : 'prompt';
  const shared = { text, onText: setText };
  return (
    <Page title={messages.title} intro={messages.intro}>
      <Tabs
        name={labels.label}
        tabs={tabs}
        value={tab}
        onChange={(next) => void navigate({ search: (old) => ({ ...old, tab: next }), replace: true })}
      >
        {choice === undefined ? (
          <Waiting />
        ) : (
          <>
            <Tab id="prompt">
              <SingleText direction="input" choice={choice} onChoice={setPicked} {...shared} />
            </Tab>
            <Tab id="response">
              <SingleText direction="output" choice={choice} onChoice={setPicked} {...shared} />
            </Tab>
            <Tab id="conversation">
              <Conversation choice={choice} onChoice={setPicked} {...shared} />
            </Tab>
            <Tab id="documents">
              <Documents choice={choice} onChoice={setPicked} {...shared} />
            </Tab>
            {live && (
              <Tab id="images">
                <Images choice={live} onChoice={setPicked} />
              </Tab>
            )}
            {live && (
              <Tab id="audio">
                <Audio choice={live} onChoice={setPicked} />
              </Tab>
            )}
            <Tab id="obfuscation">
              <ObfuscationTest choice={choice} onChoice={setPicked} {...shared} />
            </Tab>
            <Tab id="masking">
              <Masking />
            </Tab>
            <Tab id="batch">
              <Batch choice={choice} onChoice={setPicked} />
            </Tab>
          </>
        )}
      </Tabs>
    </Page>
  );
}
