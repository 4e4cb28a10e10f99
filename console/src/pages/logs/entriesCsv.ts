import { words } from '@/lib/format';
import { tableCsv, type Value } from '@/lib/table';
import { common } from '@/messages/common';
import { messages } from '@/messages/logs';
import type { LogEntry } from './useTail';

const { fields } = messages;

const COLUMNS: { head: string; value: (entry: LogEntry) => Value }[] = [
  { head: fields.logId, value: ({ log_id }) => log_id },
  { head: fields.time, value: ({ created_at }) => new Date(created_at) },
  { head: fields.decision, value: ({ decision }) => decision },
  { head: fields.outcome, value: ({ outcome }) => outcome },
  {
    head: fields.triggered,
    value: ({ triggered_guardrails }) => triggered_guardrails.map(({ name }) => words(name)).join(', '),
  },
  { head: fields.text, value: ({ text }) => text },
  { head: fields.safety, value: ({ safety_score }) => safety_score },
  { head: fields.risk, value: ({ residual_risk_level }) => residual_risk_level },
  { head: fields.feedback, value: ({ mark }) => mark },
  { head: fields.project, value: ({ projectName }) => projectName },
  { head: fields.user, value: ({ username }) => username },
  { head: fields.application, value: ({ source_app }) => source_app },
  { head: fields.caller, value: ({ principal }) => principal },
  { head: fields.endpoint, value: ({ endpoint }) => endpoint },
  { head: fields.direction, value: ({ direction }) => direction },
  { head: fields.conversation, value: ({ conversation_id }) => conversation_id },
  { head: common.correlationId, value: ({ correlation_id }) => correlation_id },
];

/** Writes log entries as comma-separated values. */
export const entriesCsv = (entries: LogEntry[]): string => tableCsv(COLUMNS, entries);
