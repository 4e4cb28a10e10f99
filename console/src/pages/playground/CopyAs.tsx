import { Code as CodeSymbol } from 'lucide-react';
import { useState } from 'react';
import { basePath } from '@/lib/base';
import { fill } from '@/lib/fill';
import { messages } from '@/messages/playground';
import { Button } from '@/ui/Button';
import { Code } from '@/ui/Code';
import { Dialog } from '@/ui/Dialog';
import { Tab, Tabs } from '@/ui/Tabs';
import type { PolicyChoice, Subject } from './evaluate';
import { SNIPPETS } from './snippets';

const text = messages.code;
const PLACEHOLDER = '<PROJECT_ID>';
const KEY = <code className="font-mono">GUARDENGINE_API_KEY</code>;

/** Shows the request as code in several languages. */
export function CopyAs({ subject, choice }: { subject: Subject; choice: PolicyChoice }) {
  const [isOpen, setOpen] = useState(false);
  const [tab, setTab] = useState('curl');
  const project = choice.startsWith('project:') ? choice.slice('project:'.length) : PLACEHOLDER;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <CodeSymbol aria-hidden size={14} />
        {text.button}
      </Button>
      {isOpen && (
        <Dialog wide title={text.title} onClose={() => setOpen(false)}>
          <p className="mb-3 text-body text-quiet">
            {project === PLACEHOLDER
              ? fill(text.setKeyAndProject, {
                  variable: KEY,
                  placeholder: <code className="font-mono">{project}</code>,
                })
              : fill(text.setKey, { variable: KEY })}
          </p>
          <Tabs
            name={text.language}
            tabs={SNIPPETS.map(({ id, label }) => [id, label] as const)}
            value={tab}
            onChange={setTab}
          >
            {SNIPPETS.map(({ id, write }) => (
              <Tab key={id} id={id}>
                <div className="space-y-3">
                  {write(subject, project, location.origin + basePath).map((piece) => (
                    <Code key={piece.file ?? id} piece={piece} />
                  ))}
                </div>
              </Tab>
            ))}
          </Tabs>
        </Dialog>
      )}
    </>
  );
}
