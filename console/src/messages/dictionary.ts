/** A text of the same use as the English one: with the same values, but other words. */
export type Translation<English> = English extends string
  ? string
  : English extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof English]: Translation<English[Key]> };

/** Every text of the console in one language. A text that is missing, or that English lacks, does not compile. */
export type Dictionary = {
  alerts: Translation<typeof import('./alerts').messages>;
  apiKeys: Translation<typeof import('./api-keys').messages>;
  audit: Translation<typeof import('./audit').messages>;
  auditActions: Translation<typeof import('./audit-actions').auditActions>;
  charts: Translation<typeof import('./charts').messages>;
  common: Translation<typeof import('./common').common>;
  connect: Translation<typeof import('./connect').messages>;
  connectors: Translation<typeof import('./connectors').messages>;
  conversation: Translation<typeof import('./conversation').messages>;
  credits: Translation<typeof import('./credits').messages>;
  dashboard: Translation<typeof import('./dashboard').messages>;
  descriptions: Translation<typeof import('./descriptions').descriptions>;
  editor: Translation<typeof import('./editor').messages>;
  engine: Translation<typeof import('./engine').messages>;
  evaluation: Translation<typeof import('./evaluation').messages>;
  gateway: Translation<typeof import('./gateway').messages>;
  invitations: Translation<typeof import('./invitations').messages>;
  layout: Translation<typeof import('./layout').messages>;
  logs: Translation<typeof import('./logs').messages>;
  organization: Translation<typeof import('./organization').messages>;
  period: Translation<typeof import('./period').messages>;
  piiTypes: Translation<typeof import('./pii').piiTypes>;
  playground: Translation<typeof import('./playground').messages>;
  policies: Translation<typeof import('./policies').messages>;
  profile: Translation<typeof import('./profile').messages>;
  projects: Translation<typeof import('./projects').messages>;
  remoteErrors: Translation<typeof import('./remote-errors').remoteErrors>;
  reviews: Translation<typeof import('./reviews').messages>;
  roles: Translation<typeof import('./roles').messages>;
  signIn: Translation<typeof import('./sign-in').messages>;
  start: Translation<typeof import('./start').messages>;
  subscriptions: Translation<typeof import('./subscriptions').messages>;
  tickets: Translation<typeof import('./tickets').messages>;
  usage: Translation<typeof import('./usage').messages>;
  users: Translation<typeof import('./users').messages>;
  wireLabels: Translation<typeof import('./common').wireLabels>;
};
