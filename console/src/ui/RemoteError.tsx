import { remoteErrorKind } from '@/lib/remoteError';
import { common } from '@/messages/common';
import { remoteErrors } from '@/messages/remote-errors';

/** An error of a connected system in plain words, with its own words behind a disclosure. */
export function RemoteError({ raw }: { raw: string }) {
  const kind = remoteErrorKind(raw);
  if (kind === null) return <span className="max-w-md text-xs wrap-anywhere text-quiet">{raw}</span>;
  return (
    <span className="block max-w-md text-xs">
      <span className="block">{remoteErrors[kind]}</span>
      <details className="text-quiet">
        <summary className="w-fit">{common.originalError}</summary>
        <code className="font-mono wrap-anywhere">{raw}</code>
      </details>
    </span>
  );
}
