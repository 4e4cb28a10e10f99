import { counted } from './common';
import { translated } from './translated';

/** Texts of the page of the engine. */
const english = {
  title: 'Engine status',
  intro: 'The replica that answered this page. Behind a load balancer, another one may answer next.',
  allWork: 'All parts work',
  troubled: (parts: number) => `${counted(parts, 'part')} with a problem`,
  degraded: 'Degraded mode: requests are evaluated without the database',

  build: 'Build',
  version: 'Version',
  platform: 'Platform',
  profile: 'Profile',
  uptime: 'Running for',
  models: 'Models',
  modelsNote: 'In the order in which they are used. Log entries name them.',

  checks: 'Parts',
  checkStates: { ok: 'works', warning: 'works in part', failed: 'does not work' },
  checkNames: {
    store: 'Database',
    writes: 'Writes to the database',
    schema: 'Database schema',
    engine: 'Detection engine',
    disk: 'Free disk space',
    keys: 'Encryption keys',
    ocr: 'Images',
    speech: 'Audio',
    media_sandbox: 'Confinement of media workers',
    redis: 'Redis',
    log_export: 'Log export',
    log_sink: 'Service log',
  } as Record<string, string>,

  queues: 'Queues',
  queueNames: {
    evaluations: 'Evaluations',
    drafts: 'Policies that are compiled',
    images: 'Image workers',
    audio: 'Audio workers',
  } as Record<string, string>,
  queue: 'Queue',
  busy: 'Busy',
  waiting: 'Waiting',
  load: (busy: number, capacity: number) => `${busy} of ${capacity}`,
  loadOf: (queue: string) => `${queue}, busy`,

  stages: 'Latency by stage',
  stagesNote: 'The newest 1,000 requests',
  noStages: 'No request since the replica started. Each stage appears here with its first request.',
  stage: 'Stage',
  requests: 'Requests',
  ms: (value: string) => `${value} ms`,

  media: 'Media workers',
  images: 'Images',
  audio: 'Audio',
  sandbox: 'Sandbox',
  notChecked: 'Not checked yet',

  store: 'Database and replicas',
  databases: { sqlite: 'SQLite, embedded', postgresql: 'PostgreSQL' } as Record<string, string>,
  database: 'Database',
  size: 'Size',
  growth: 'Growth a day',
  replicas: 'Replicas',
  oneReplica: 'One; several need PostgreSQL',
  severalReplicas: 'Share this database',
  redis: 'Redis',
  redisUp: 'Shares rate limits',
  redisDown: 'Unreachable; each replica limits alone',
  noRedis: 'Not configured',
  degradedMode: 'Degraded mode',
  degradedStates: { none: 'Needs PostgreSQL', ready: 'Ready', active: 'Active' },

  caches: 'Caches',
  cacheNames: { policies: 'Compiled policies', texts: 'Evaluated turns' } as Record<string, string>,
  cached: (entries: string, most: string | null) => (most === null ? entries : `${entries} of ${most}`),
} as const;

export const messages = translated('engine', english);
