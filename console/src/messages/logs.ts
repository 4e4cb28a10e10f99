import { counted } from './common';
import { translated } from './translated';

/** Texts of the live logs. */
const english = {
  title: 'Live logs',
  pause: 'Pause',
  resume: 'Resume',
  columns: 'Columns',
  resize: (column: string) => `Width of ${column}`,
  usualWidth: 'Automatic',
  facets: 'Facets',
  table: 'Log entries',
  showNew: (entries: number) => `Show ${entries.toLocaleString('en')} new ${entries === 1 ? 'entry' : 'entries'}`,
  loaded: (entries: number) => `${counted(entries, 'entry', 'entries')} loaded`,
  zone: (name: string) => `Times in ${name}`,
  loadingOlder: 'Loading older entries…',
  scrollForOlder: 'Scroll to load older entries.',

  histogram: {
    label: 'Entries over time',
    lastDay: 'The last 24 hours. Select a period to see others.',
    chart: 'Entries over time by outcome',
    bar: (label: string, entries: number) => `${label}: ${counted(entries, 'entry', 'entries')}`,
    since: (time: string) => `Counted since ${time}: the newest 5,000 matching entries.`,
  },

  live: {
    live: 'Live',
    paused: 'Paused',
    past: 'Past period',
    connecting: 'Connecting…',
    failed: (error: string) => `Live updates failed: ${error}`,
  },

  empty: {
    clear: 'Clear filters',
    title: 'No requests yet',
    body: 'Entries of your projects appear here within a second of the first call.',
    action: 'Send a request from the playground',
  },

  search: {
    label: 'Filter',
    misspelled: (keyword: string, meant: string) =>
      `No field is called “${keyword}”, so the words are searched in the text. Did you mean ${meant}?`,
    placeholder: 'decision:block guardrail:pii user:ann risk:high app:chat last:24h "words in the text"',
    refused: 'No entries for this filter',
    refusedBody: 'The service refuses a value of the filter. Correct it above.',
    clear: 'Clear filters',
  },

  fields: {
    time: 'Time',
    decision: 'Decision',
    triggered: 'Triggered',
    text: 'Text',
    safety: 'Safety',
    risk: 'Risk',
    guardrail: 'Guardrail',
    project: 'Project',
    policy: 'Policy',
    user: 'User',
    application: 'Application',
    endpoint: 'Endpoint',
    direction: 'Direction',
    latency: 'Latency',
    outcome: 'Outcome',
    feedback: 'Feedback',
    shadow: 'Shadow',
    shadowPolicy: 'Shadow policy',
    language: 'Language',
    caller: 'Caller',
    endUser: 'End user',
    device: 'Device',
    context: 'Context',
    conversation: 'Conversation',
    surface: 'Interface',
    foreignId: 'Client call ID',
    processingTime: 'Processing time',
    modelTime: 'Time of the model',
    promptTokens: 'Prompt tokens',
    completionTokens: 'Completion tokens',
    tokens: 'Tokens',
    credits: 'Credits',
    model: 'Model',
    logId: 'Log ID',
  },
  tokens: (prompt: number | null | undefined, completion: number | null | undefined) =>
    `${prompt?.toLocaleString('en') ?? '–'} + ${completion?.toLocaleString('en') ?? '–'}`,
  copyLogId: 'Copy log ID',
  policyVersion: (version: number | null | undefined) => `Version ${version ?? '–'}`,
  endpointAndDirection: (endpoint: string, direction: string) => `${endpoint}, ${direction}`,
  more: (others: number) => `+${others}`,

  countedAll: (entries: number) => `Counted over all ${counted(entries, 'entry', 'entries')}.`,
  countedNewest: (entries: number) => `Counted over the newest ${counted(entries, 'entry', 'entries')}.`,

  export: {
    button: 'Export',
    csv: 'CSV, for spreadsheets',
    jsonl: 'JSON Lines, for programs',
    labeled: 'Entries with feedback as labeled texts, for guardengine eval',
    done: 'Export saved. It is recorded in the audit trail.',
  },

  entry: {
    title: 'Request',
    newer: 'Newer entry',
    older: 'Older entry',
    safety: 'Safety {score} of 100',
    beforeMasking: (risk: string, score: number) => `Risk before masking: ${risk} (safety ${score} of 100)`,
    decidedBy: 'Reason:',
    details: 'Details',
    playground: 'Open in playground',
    replay: 'Replay with a draft of its policy',
    sameUser: 'Show more from this user',
    sameApplication: 'Show more from this application',
  },

  places: {
    document: (number: number) => `in document ${number}`,
    image: (number: number) => `in image ${number}`,
    turn: (number: number) => `in turn ${number} of the history`,
    transcript: 'in the transcript',
  },

  findings: {
    label: 'Guardrails',
    title: 'Guardrails',
    help: 'Confidence from 0 to 1. A guardrail triggers at its threshold, the line on the bar.',
    none: 'No guardrail triggered.',
    belowThreshold: (guardrails: number) => `Did not trigger: ${counted(guardrails, 'guardrail')}`,
    noConfidences: 'The log kept only the guardrails that triggered.',
  },

  text: {
    label: 'Text',
    title: 'Stored text',
    none: 'The text was not stored: the log content of this project is “none”.',
    incomplete: 'Personal data was masked before storage. Matches after the first masked value are not highlighted.',
    decoded: (evidence: string) => `Decoded text: ${evidence}`,
  },

  reveal: {
    button: 'Reveal text',
    title: 'Reveal the original text?',
    submit: 'Reveal',
    reason: 'Reason',
    reasonHint: 'The reason, your name and this entry are recorded in the audit trail.',
    notSealed: 'The original text was not stored. Projects with the log content “sealed” store it.',
    notPermitted: 'Revealing the original text requires the permission LOGS:REVEAL_TEXT.',
    original: 'Original text',
    recorded: 'Original text. Access is recorded in the audit trail.',
  },

  timing: {
    label: 'Timing',
    title: (ms: string) => `Time spent: ${ms} ms in total`,
    duration: (ms: string) => `${ms} ms`,
    stages: {
      policy: 'Policy and balance',
      waiting: 'Waiting for a CPU core',
      media: 'Images and audio',
      reading: 'Text decoding',
      scores: 'Classifier scores',
      opinion: 'Language model',
      verdict: 'Detectors and decision',
      upstream: 'Model behind the gateway',
    } as Record<string, string>,
  },

  feedback: {
    label: 'Feedback',
    given: (name: string) => `Feedback: ${name}`,
    givenWithNote: (name: string, note: string) => `Feedback: ${name}. ${note}`,
    dialog: (name: string) => `Report as ${name}`,
    submit: 'Save feedback',
    note: 'Note',
    noteHint: 'Explain why, for whoever reviews this entry later. The note is also recorded in the audit trail.',
    saved: 'Feedback saved.',
    removed: 'Feedback removed.',
    undone: 'Feedback restored.',
  },

  bulk: {
    correct: 'Correct (no feedback)',
    done: (entries: number) => `Feedback saved for ${counted(entries, 'entry', 'entries')}.`,
    unchanged: 'All selected entries already have this feedback.',
    failed: (entries: number) => `${counted(entries, 'entry', 'entries')} could not be changed.`,
    tooMany: (most: number) => `Select at most ${counted(most, 'entry', 'entries')} to give feedback.`,
  },

  exception: {
    button: 'Add exception',
    title: (policy: string) => `Exception in ${policy}`,
    submit: 'Add to draft',
    scope: 'Applies to',
    one: (guardrail: string) => `${guardrail} only`,
    all: 'All guardrails',
    words: 'Allowed words',
    wordsHint: 'Case and repeated spaces are ignored.',
    effectOne: (guardrail: string) =>
      `Text with these words skips ${guardrail.toLowerCase()}. All other guardrails still apply.`,
    effectAll:
      'Text with these words skips guardrail blocks. Masking, the block list and the length limit still apply.',
    advice: 'Choose words that appear only in harmless text. Such requests are logged as “would block”.',
    draft: (policy: string) => `Nothing changes until you publish the draft of ${policy}.`,
  },

  chips: {
    label: 'Conditions',
    is: 'is',
    isNot: 'is not',
    turn: (field: string, value: string, isNot: boolean) =>
      isNot ? `${field} is not ${value}: show only these` : `${field} is ${value}: leave these out`,
    remove: (field: string, value: string) => `Remove the condition ${field} ${value}`,
    names: {
      decision: 'Decision',
      outcome: 'Outcome',
      guardrail: 'Guardrail',
      risk: 'Risk',
      mark: 'Feedback',
      source_app: 'Application',
      username: 'User',
      principal: 'Caller',
      surface: 'Interface',
      conversation_id: 'Conversation',
    },
  },

  views: {
    title: 'Views',
    none: 'No saved views yet. Save the current filters, period and columns under a name.',
    save: 'Save this view',
    manage: 'Delete views',
    shared: 'Shared',
    share: 'Share with the organization',
    help: 'Saves the filters, the period and the columns.',
    saved: (name: string) => `Saved the view “${name}”.`,
    remove: (name: string) => `Delete the view ${name}`,
  },
} as const;

export const messages = translated('logs', english);
