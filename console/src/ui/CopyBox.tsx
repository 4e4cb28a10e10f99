import { Copy } from './Copy';

type Props = { text: string; label: string; 'data-testid'?: string };

/** A value that is shown once, with a button that copies it. */
export function CopyBox({ text, label, 'data-testid': testId }: Props) {
  return (
    <p className="flex items-center gap-2 rounded-md border border-line bg-canvas p-3">
      <code className="min-w-0 flex-1 font-mono break-all" data-testid={testId}>
        {text}
      </code>
      <Copy text={text} label={label} />
    </p>
  );
}
