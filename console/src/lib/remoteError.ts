/** Kinds of errors of connected systems. */
export type RemoteErrorKind =
  | 'credentials'
  | 'forbidden'
  | 'missing'
  | 'refused'
  | 'busy'
  | 'broken'
  | 'timeout'
  | 'name'
  | 'certificate'
  | 'unreachable'
  | 'blocked'
  | 'paused'
  | 'unreadable';

const STATUS = /answered (\d{3})/;

// The first pattern that matches counts. The service writes these errors in crates/egress/src/error.rs and beside it.
const PATTERNS: [RegExp, RemoteErrorKind][] = [
  [/repeated failures|too many calls in progress/, 'paused'],
  [/^not sent:/, 'blocked'],
  [/no response within|timed? ?out/i, 'timeout'],
  [/dns|resolve|lookup|no such host/i, 'name'],
  [/certificate|tls|ssl/i, 'certificate'],
  [/cannot be reached|connection/i, 'unreachable'],
  [/documented format|larger than/, 'unreadable'],
];

/** Returns the kind of an error that a connected system caused; null if it is of no known kind. */
export function remoteErrorKind(raw: string): RemoteErrorKind | null {
  const status = Number(STATUS.exec(raw)?.[1] ?? 0);
  if (status > 0) return ofStatus(status);
  return PATTERNS.find(([pattern]) => pattern.test(raw))?.[1] ?? null;
}

function ofStatus(status: number): RemoteErrorKind {
  if (status === 401) return 'credentials';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'missing';
  if (status === 429) return 'busy';
  return status >= 500 ? 'broken' : 'refused';
}
