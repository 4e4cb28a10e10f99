import { common } from '@/messages/common';
import { Copy } from './Copy';
import { classes } from './classes';
import { CodeBlock } from './ScrollArea';

/** A piece of code, with a file name if there are several. */
export type Piece = { file?: string; code: string };

/** A piece of code that can be copied. */
export function Code({ piece: { file, code } }: { piece: Piece }) {
  return (
    <div>
      {file && <p className="mb-1 font-mono text-xs font-semibold text-quiet">{file}</p>}
      <div className="relative">
        <div className="absolute top-1 right-1 rounded bg-canvas">
          <Copy text={code} label={file ? common.copyFile(file) : common.copyCode} />
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
