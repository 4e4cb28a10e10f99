/** Texts of the credits page. */
export const messages = {
  title: 'Credits',
  intro:
    'Every evaluated request costs credits. Requests are refused when the balance is too low. Operators add credits with {command}.',
  command: 'guardengine admin set-credits',
  balance: 'Balance',
  chart: (entries: number) => `Balance over the ${entries} ledger entries below, in credits`,
  ledger: 'Ledger',
  emptyTitle: 'No ledger entries yet',
  emptyBody: 'Each charge appears here with its request.',
  time: 'Time',
  operation: 'Operation',
  amount: 'Amount',
  balanceAfter: 'Balance after',
  request: 'Request',
  viewRequest: 'View request',
  older: 'Load older entries',
} as const;
