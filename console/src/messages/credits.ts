import { counted } from './common';
import { translated } from './translated';

/** Texts of the credits page. */
const english = {
  title: 'Credits',
  intro: 'Evaluated requests cost credits, and are refused without credits. Operators add credits with {command}.',
  command: 'guardengine admin set-credits',
  balance: 'Balance',
  chart: (entries: number, from: string) =>
    `Balance in credits since ${from}, over the ${entries} ledger entries below`,
  balanceAt: (time: string, credits: string) => `${time}: ${credits} credits`,
  alertBelow: (credits: string) => `An alert fires below ${credits} credits`,
  prices: 'Prices',
  price: (credits: number) => counted(credits, 'credit'),
  perCall: 'A call costs its price, however long the text is.',
  perUnit: (unit: string) => `A call costs its price for each started ${unit} characters of evaluated text.`,
  operations: {
    analyze: 'Prompt',
    validate: 'Response',
    mask: 'Text to mask',
    autonomous: 'Autonomous decision',
    audio: 'Audio clip, with its transcript',
    image: 'Image, with its text',
  },
  ledger: 'Ledger',
  emptyTitle: 'No ledger entries in this period',
  emptyBody: 'Each charge appears here with its request.',
  export: 'Export ledger',
  exporting: (entries: number) => `${counted(entries, 'entry', 'entries')} read`,
  exported: (entries: number) => `${counted(entries, 'entry', 'entries')} exported.`,
  exportedMost: (entries: string) =>
    `The newest ${entries} entries were exported. Select a shorter period for the others.`,
  time: 'Time',
  operation: 'Operation',
  amount: 'Amount',
  balanceAfter: 'Balance after',
  request: 'Request',
  viewRequest: 'View request',
  older: 'Load older entries',
} as const;

export const messages = translated('credits', english);
