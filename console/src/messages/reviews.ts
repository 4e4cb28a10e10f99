import { translated } from './translated';

/** Texts of the review queue. */
const english = {
  title: 'Review queue',
  intro:
    'Prompts that a guardrail with the action Escalate stopped in an autonomous decision. The application waits for ' +
    'yours. Escalated calls of analyze and validate are only stopped, and have no review.',
  table: 'Reviews',
  states: { pending: 'Pending', approved: 'Approved', denied: 'Denied' } as Record<string, string>,
  emptyPending: 'No pending reviews',
  emptyPendingBody:
    'Give a guardrail the action Escalate and have your application request autonomous decisions. ' +
    'Escalated prompts appear here.',
  empty: (state: string) => `No ${state} reviews`,
  requested: 'Requested',
  triggered: 'Triggered',
  user: 'User',
  text: 'Text',
  autoDenied: 'Auto-denied',
  decided: 'Decided',
  timedOut: 'Timed out',
  review: 'Review',
  view: 'View',
  older: 'Load older reviews',

  deny: 'Deny',
  approve: 'Approve',
  entryDeleted: 'The log entry of this request was deleted when its retention period ended.',
  note: 'Note:',
  addNote: 'Note (optional)',
  noteHint: 'Stored with the review. The application does not receive it.',
} as const;

export const messages = translated('reviews', english);
