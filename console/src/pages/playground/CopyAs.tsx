import { Code as CodeSymbol } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/ui/Button';
import { Copy } from '@/ui/Copy';
import { Dialog } from '@/ui/Dialog';
import { Tab, Tabs } from '@/ui/Tabs';
import type { PolicyChoice, Subject } from './evaluate';
import { type Piece, SNIPPETS } from './snippets';

/** The same question as a program asks it. */
export function CopyAs({ subject, judge }: { subject: Subject; judge: PolicyChoice }) {
  const [isOpen, setOpen] = useState(false);
  const [tab, setTab] = useState('curl');
  const project = judge.startsWith('project:') ? judge.slice('project:'.length) : '<PROJECT_ID>';
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <CodeSymbol aria-hidden size={14} />
        Copy as code
      </Button>
      {isOpen && (
        <Dialog wide title="Ask from a program" onClose={() => setOpen(false)}>
          <p className="mb-3 text-body text-quiet">
            Put an API key into the environment as <code className="font-mono">GUARDENGINE_API_KEY</code>
            {project === '<PROJECT_ID>' && (
              <>
                , and the id of a project in the place of <code className="font-mono">{project}</code>
              </>
            )}
            .
          </p>
          <Tabs
            name="Language"
            tabs={SNIPPETS.map(({ id, label }) => [id, label] as const)}
            value={tab}
            onChange={setTab}
          >
            {SNIPPETS.map(({ id, write }) => (
              <Tab key={id} id={id}>
                <div className="space-y-3">
                  {write(subject, project, location.origin).map((piece) => (
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

function Code({ piece: { file, code } }: { piece: Piece }) {
  return (
    <div>
      {file && <p className="mb-1 font-mono text-xs font-semibold text-quiet">{file}</p>}
      <div className="relative">
        <div className="absolute top-1 right-1">
          <Copy text={code} label={file ? `Copy ${file}` : 'Copy the code'} />
        </div>
        <pre
          tabIndex={0}
          className="max-h-96 overflow-auto rounded-md border border-line bg-canvas p-3 pr-10 font-mono text-xs"
        >
          {code}
        </pre>
      </div>
    </div>
  );
}
