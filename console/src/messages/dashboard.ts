import { counted } from './common';
import { translated } from './translated';

const spanOf = (hours: number): string => {
  const [size, unit] = hours < 24 ? [hours, 'hour'] : [hours / 24, 'day'];
  return size === 1 ? unit : `${size} ${unit}s`;
};

/** Texts of the dashboard. */
const english = {
  title: 'Dashboard',

  totals: {
    label: 'Requests by outcome',
    requests: 'Requests',
    allowed: 'Allowed',
    blocked: 'Blocked',
    masked: 'Masked',
    challenged: 'Challenged',
    escalated: 'Escalated',
    wouldBlock: 'Would block',
    notEvaluated: 'Not evaluated',
    unlogged: (requests: number) => `${requests.toLocaleString('en')} without a log entry`,
    noChange: 'No change',
    was: (before: string) => `was ${before}`,
    more: 'more',
    fewer: 'fewer',
    times: (factor: string) => `${factor}×`,
  },

  threats: {
    title: 'Threats by guardrail',
    note: (hours: number) => `Per ${spanOf(hours)}. Select a bar to see its log entries, or drag to zoom in.`,
    chart: 'Threats over time',
    others: 'Others',
    attacks: 'Attacks',
    personalData: 'Personal data',
    types: { pii: 'Built-in types', custom_pii: 'Custom types' },
    emptyTitle: 'No threats in this period',
    emptyBody: 'Requests that trigger a guardrail appear here, grouped by hour.',
    policyChanged: (principal: string, time: string) => `Policy changed by ${principal}, ${time}`,
    bar: (label: string, requests: number) => `${label}: ${counted(requests, 'request')}`,
    any: 'Any guardrail',
    several: 'A request counts once for each guardrail that triggered.',
  },

  top: {
    guardrails: 'Top guardrails',
    noGuardrails: 'No guardrail triggered in this period.',
    projects: 'Top projects',
    noProjects: 'No request in this period named a project.',
    users: 'Top users',
    noUsers: 'No request in this period named its end user. Send it as {field}.',
    applications: 'Top applications',
    rankedBy: (ranking: string) => `${ranking}: ranked by`,
    byRequests: 'By requests',
    byBlocked: 'By blocked',
    noBlocked: 'No request was blocked in this period.',
    blockedKeys: 'API keys by blocked',
    noBlockedKeys: 'No request with an API key was blocked in this period.',
    noApplications: 'No request in this period named its application. Send it as {field}.',
  },

  confidence: {
    title: 'Confidence and threshold',
    note: 'All requests in the period, logarithmic scale',
    empty: 'No guardrail ran in this period.',
    guardrail: 'Guardrail',
    threshold: 'Threshold to test',
    reached: (reached: string, all: string, threshold: string) => `${reached} of ${all} requests reach ${threshold}.`,
    policies: (thresholds: string) => `Policy thresholds (dashed): ${thresholds}`,
    policy: (name: string, threshold: string) => `${name}: ${threshold}`,
  },

  latency: {
    title: 'Latency',
    note: 'Time in the service',
    help: 'Half of the requests took p50 or less, 95% took p95 or less, and 99% took p99 or less.',
  },

  credits: {
    title: 'Credits',
    ledger: 'Open ledger',
    note: (hours: number) => `Used per ${spanOf(hours)}`,
    balance: 'Balance',
    chart: (from: string, to: string, credits: string) => `Credits used from ${from} to ${to}: ${credits}`,
    bar: (label: string, credits: number) => `${label}: ${counted(credits, 'credit')}`,
    idle: (from: string) => `No credits were used since ${from}.`,
    over: 'No credits are left. Requests are refused.',
    few: 'Too few charges for a forecast.',
    early: (from: string) =>
      `Usage began ${from}. A forecast needs 24 hours of usage, or 6 hours in which it hardly varies.`,
    unclear: 'Usage varies too much for a forecast.',
    atRate: (range: string, charges: number) => `Lasts ${range} at the rate of the last ${charges} charges.`,
    lasts: (range: string, from: string) => `Lasts ${range} at the usage since ${from}.`,
  },

  start: {
    title: 'Getting started',
    guide: 'Connect your application',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    done: '(done)',
    policy: 'Create a policy',
    policyHelp: 'Choose what to detect and what happens then. Start from a template.',
    project: 'Create a project',
    projectHelp: 'One per application. It selects the policy for its requests.',
    apiKey: 'Create an API key',
    apiKeyHelp: 'Your application sends it with every request.',
    attack: 'Block an attack',
    attackHelp: 'Send one from the playground or from your application.',
  },
} as const;

export const messages = translated('dashboard', english);
