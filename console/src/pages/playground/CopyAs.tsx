import { Code } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/ui/Button';
import { Copy } from '@/ui/Copy';
import { Dialog } from '@/ui/Dialog';
import { Tab, Tabs } from '@/ui/Tabs';
import type { Judge, Subject } from './judge';
import { SNIPPETS } from './snippets';

/** The same question as a program asks it. */
export function CopyAs({ subject, judge }: { subject: Subject; judge: Judge }) {
  const [isOpen, setOpen] = useState(false);
  const [tab, setTab] = useState('curl');
  const project = judge.startsWith('project:') ? judge.slice('project:'.length) : '<PROJECT_ID>';
  return (
    <>
      <Button onClick={() => setOpen(true)}><Code aria-hidden size={14} />Copy as code</Button>
      {isOpen && (
        <Dialog wide title="Ask from a program" onClose={() => setOpen(false)}>
          <p className="mb-3 text-[13px] text-quiet">Put an API key into the environment as <code className="font-mono">GUARDENGINE_API_KEY</code>{project === '<PROJECT_ID>' && <>, and the id of a project in the place of <code className="font-mono">{project}</code></>}.</p>
          <Tabs name="Language" tabs={SNIPPETS.map(({ id, label }) => [id, label] as const)} value={tab} onChange={setTab}>
            {SNIPPETS.map(({ id, write }) => {
              const code = write(subject, project, location.origin);
              return (
                <Tab key={id} id={id}>
                  <div className="relative">
                    <div className="absolute top-1 right-1"><Copy text={code} label="Copy the code" /></div>
                    <pre tabIndex={0} className="max-h-96 overflow-auto rounded-md border border-line bg-canvas p-3 pr-10 font-mono text-xs">{code}</pre>
                  </div>
                </Tab>
              );
            })}
          </Tabs>
        </Dialog>
      )}
    </>
  );
}
