import { counted } from './counted';
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
  waiting: 'Waiting',
  waitingFor: (time: string) => `Waiting for ${time}.`,
  waitedFor: (time: string) => `waited for ${time}`,
  evidence: 'Evidence',
  conversation: 'Conversation',
  openConversation: 'Open conversation',
  previous: 'Previous review',
  next: 'Next review',
  shortcuts: '{next} next, {previous} previous',
  decide: {
    title: {
      approve: (reviews: number) => `Approve ${counted(reviews, 'review')}`,
      deny: (reviews: number) => `Deny ${counted(reviews, 'review')}`,
    },
    final: 'The application receives the decision at once. It cannot be undone.',
    done: {
      approve: (reviews: number) => `${counted(reviews, 'review')} approved.`,
      deny: (reviews: number) => `${counted(reviews, 'review')} denied.`,
    },
    failed: (reviews: number) => `${counted(reviews, 'review')} could not be decided.`,
  },
  user: 'User',
  autoDenied: 'Auto-denied',
  decided: 'Decided',
  timedOut: 'Timed out',
  review: 'Review',
  older: 'Load older reviews',

  deny: 'Deny',
  approve: 'Approve',
  entryDeleted: 'The log entry of this request was deleted when its retention period ended.',
  note: 'Note:',
  addNote: 'Note (optional)',
  noteHint: 'Stored with the review. The application does not receive it.',
} as const;

export const messages = translated('reviews', english);
