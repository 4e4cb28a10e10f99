// Glossary: policy Richtlinie, guardrail Schutzregel, prompt Prompt, response Antwort, turn Beitrag, conversation
// Unterhaltung, log Protokoll, log entry Protokolleintrag, finding Befund, evaluate auswerten, replay Neuauswertung, dry run
// Probelauf, shadow Schatten-, draft Entwurf, threshold Schwellenwert, confidence Konfidenz, false positive Fehlalarm, block
// list Sperrliste, allow list Zulassungsliste, keyword Schlüsselwort, obfuscation Verschleierung, PII type Datentyp, connector
// Konnektor, permission Berechtigung, audit trail Audit-Protokoll, balance Guthaben, end user Endbenutzer, alert
// Alarm, subscription Abonnement, evaluation (of a policy) Evaluierung, run Lauf, dataset Datensatz, case Fall. Address: Sie.
import type { Dictionary } from '../dictionary';
import { messages as alerts } from './alerts';
import { messages as apiKeys } from './api-keys';
import { messages as audit } from './audit';
import { auditActions } from './audit-actions';
import { messages as charts } from './charts';
import { common, wireLabels } from './common';
import { messages as connect } from './connect';
import { messages as connectors } from './connectors';
import { messages as conversation } from './conversation';
import { messages as credits } from './credits';
import { messages as dashboard } from './dashboard';
import { descriptions } from './descriptions';
import { messages as editor } from './editor';
import { messages as engine } from './engine';
import { messages as evaluation } from './evaluation';
import { messages as gateway } from './gateway';
import { messages as invitations } from './invitations';
import { messages as layout } from './layout';
import { messages as logs } from './logs';
import { messages as organization } from './organization';
import { messages as period } from './period';
import { piiTypes } from './pii';
import { messages as playground } from './playground';
import { messages as policies } from './policies';
import { messages as profile } from './profile';
import { messages as projects } from './projects';
import { remoteErrors } from './remote-errors';
import { messages as reviews } from './reviews';
import { messages as roles } from './roles';
import { messages as signIn } from './sign-in';
import { messages as start } from './start';
import { messages as subscriptions } from './subscriptions';
import { messages as tickets } from './tickets';
import { messages as usage } from './usage';
import { messages as users } from './users';

/** Every text in German. */
export const dictionary: Dictionary = {
  alerts,
  apiKeys,
  audit,
  auditActions,
  charts,
  common,
  connect,
  connectors,
  conversation,
  credits,
  dashboard,
  descriptions,
  editor,
  engine,
  evaluation,
  gateway,
  invitations,
  layout,
  logs,
  organization,
  period,
  piiTypes,
  playground,
  policies,
  profile,
  projects,
  remoteErrors,
  reviews,
  roles,
  signIn,
  start,
  subscriptions,
  tickets,
  usage,
  users,
  wireLabels,
};
