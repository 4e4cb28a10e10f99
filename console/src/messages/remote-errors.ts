import type { RemoteErrorKind } from '@/lib/remoteError';
import { translated } from './translated';

/** Errors of connected systems in plain words, with what to do. */
const english: Record<RemoteErrorKind, string> = {
  credentials: 'The system refused the credentials. Enter new ones in the connector.',
  forbidden: 'The account of the connector lacks a permission in that system. Grant it there.',
  missing: 'The system has nothing at this address. Check the address, project or table in the connector.',
  refused: 'The system refused the content. The original error may name the reason.',
  busy: 'The system accepts no more calls at the moment. Try again later.',
  broken: 'The system has a problem of its own. Try again later.',
  timeout: 'The system did not answer in time. Check that it runs, and that a firewall does not hold calls back.',
  name: 'The host name of the system is unknown. Check the address in the connector.',
  certificate: 'The certificate of the system is not trusted. Install its authority on the server of the service.',
  unreachable: 'The system cannot be reached. Check that it runs, and the address in the connector.',
  blocked: 'The service may not call this address. Change the address, or ask an operator to allow it.',
  paused: 'Calls pause because the system failed repeatedly. They continue automatically.',
  unreadable: 'The answer is not the one of the expected system. Check the type and the address of the connector.',
};

export const remoteErrors = translated('remoteErrors', english);
