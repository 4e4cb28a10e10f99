import { counted } from './common';
import { translated } from './translated';

/** Texts of the page of a conversation. */
const english = {
  title: 'Conversation',
  missing: 'No conversation is selected',
  missingBody: 'Open a log entry that names its conversation, and follow its link.',
  emptyTitle: 'No entries of this conversation',
  emptyBody: 'They may have been deleted by the retention, or belong to a project that you are not a member of.',
  identifier: 'Identifier',
  copy: 'Copy the identifier of the conversation',
  turns: (turns: number) => counted(turns, 'evaluated turn'),
  turnsLoaded: (turns: number) => `${counted(turns, 'evaluated turn')} loaded`,
  outcomes: 'Turns by outcome',
  from: (start: string, end: string) => `${start} to ${end}`,
  timeline: 'Turns, oldest first',
  prompt: 'Prompt',
  response: 'Response',
  textOf: (turn: number) => `Text of turn ${turn}`,
  evaluationOf: (turn: number) => `Evaluation of turn ${turn}`,
  open: 'Open entry',
  nothing: 'Nothing triggered',
  safety: (score: number) => `Safety ${score} of 100`,
  older: 'Load earlier turns',
  inLogs: 'Show in live logs',
} as const;

export const messages = translated('conversation', english);
