import { Code as CodeSymbol } from 'lucide-react';
import { useState } from 'react';
import { basePath } from '@/lib/base';
import { fill } from '@/lib/fill';
import { messages } from '@/messages/playground';
import { Button } from '@/ui/Button';
import { Copy } from '@/ui/Copy';
import { classes } from '@/ui/classes';
import { Dialog } from '@/ui/Dialog';
import { CodeBlock } from '@/ui/ScrollArea';
import { Tab, Tabs } from '@/ui/Tabs';
import type { PolicyChoice, Subject } from './evaluate';
import { type Piece, SNIPPETS } from './snippets';

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

function Code({ piece: { file, code } }: { piece: Piece }) {
  return (
    <div>
      {file && <p className="mb-1 font-mono text-xs font-semibold text-quiet">{file}</p>}
      <div className="relative">
        <div className="absolute top-1 right-1">
          <Copy text={code} label={file ? text.copyFile(file) : text.copy} />
        </div>
        <CodeBlock
          className={classes(
            'max-h-96 overflow-auto rounded-md border border-line bg-canvas p-3 pr-10 font-mono text-xs',
          )}
        >
          {code}
        </CodeBlock>
      </div>
    </div>
  );
}
