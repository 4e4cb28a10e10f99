// Glossary: policy política, guardrail salvaguarda, prompt prompt, response respuesta, turn turno, conversation conversación,
// log registro, log entry entrada del registro, finding hallazgo, evaluate evaluar, replay reevaluación, dry run simulación,
// shadow en sombra, draft borrador, threshold umbral, confidence confianza, false positive falso positivo, block list lista de
// bloqueo, allow list lista de permitidos, keyword palabra clave, obfuscation ofuscación, PII type tipo de dato, connector
// conector, permission permiso, audit trail registro de auditoría, balance saldo, end user usuario final,
// alert alerta, fire dispararse, subscribe suscribir, run ejecución, dataset conjunto de datos, case caso. Address: usted.
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

/** Every text in Spanish. */
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
