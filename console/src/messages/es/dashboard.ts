import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

const spanOf = (hours: number): string => {
  if (hours < 24) return hours === 1 ? 'hora' : `${hours} horas`;
  return hours === 24 ? 'día' : `${hours / 24} días`;
};
const requestsOf = (requests: number) => counted(requests, 'solicitud', 'solicitudes');

export const messages: Dictionary['dashboard'] = {
  title: 'Panel',

  totals: {
    label: 'Solicitudes por resultado',
    requests: 'Solicitudes',
    allowed: 'Permitidas',
    blocked: 'Bloqueadas',
    masked: 'Enmascaradas',
    challenged: 'En verificación',
    escalated: 'Escaladas',
    wouldBlock: 'Se bloquearían',
    notEvaluated: 'No evaluadas',
    unlogged: (requests) => `${requestsOf(requests)} sin entrada en el registro`,
    noChange: 'Sin cambios',
    was: (before) => `antes ${before}`,
    more: 'más',
    fewer: 'menos',
    times: (factor) => `${factor}×`,
  },

  threats: {
    title: 'Amenazas por salvaguarda',
    note: (hours) =>
      `Por ${spanOf(hours)}. Seleccione una barra para ver sus entradas del registro, o arrastre para ampliar.`,
    chart: 'Amenazas a lo largo del tiempo',
    others: 'Otras',
    attacks: 'Ataques',
    personalData: 'Datos personales',
    types: { pii: 'Tipos integrados', custom_pii: 'Tipos propios' },
    emptyTitle: 'Sin amenazas en este periodo',
    emptyBody: 'Las solicitudes que activan una salvaguarda aparecen aquí, agrupadas por hora.',
    policyChanged: (principal, time) => `Política cambiada por ${principal}, ${time}`,
    bar: (label, requests) => `${label}: ${requestsOf(requests)}`,
    any: 'Cualquier salvaguarda',
    several: 'Una solicitud cuenta una vez por cada salvaguarda activada.',
  },

  top: {
    guardrails: 'Salvaguardas más activas',
    noGuardrails: 'Ninguna salvaguarda se activó en este periodo.',
    projects: 'Proyectos más activos',
    noProjects: 'Ninguna solicitud de este periodo nombró un proyecto.',
    users: 'Usuarios más activos',
    noUsers: 'Ninguna solicitud de este periodo nombró a su usuario final. Envíelo como {field}.',
    applications: 'Aplicaciones más activas',
    rankedBy: (ranking) => `${ranking}: ordenar por`,
    byRequests: 'Por solicitudes',
    byBlocked: 'Por bloqueadas',
    noBlocked: 'Ninguna solicitud se bloqueó en este periodo.',
    blockedKeys: 'Claves de API por bloqueadas',
    noBlockedKeys: 'Ninguna solicitud con clave de API se bloqueó en este periodo.',
    noApplications: 'Ninguna solicitud de este periodo nombró su aplicación. Envíela como {field}.',
  },

  confidence: {
    title: 'Confianza y umbral',
    note: 'Todas las solicitudes del periodo, escala logarítmica',
    empty: 'Ninguna salvaguarda se ejecutó en este periodo.',
    guardrail: 'Salvaguarda',
    threshold: 'Umbral de prueba',
    reached: (reached, all, threshold) => `${reached} de ${all} solicitudes alcanzan ${threshold}.`,
    policies: (thresholds) => `Umbrales de las políticas (discontinuos): ${thresholds}`,
    policy: (name, threshold) => `${name}: ${threshold}`,
  },

  latency: {
    title: 'Latencia',
    note: 'Tiempo en el servicio',
    help: 'La mitad de las solicitudes tardó p50 o menos, el 95 % tardó p95 o menos y el 99 % tardó p99 o menos.',
  },

  credits: {
    title: 'Créditos',
    ledger: 'Abrir movimientos',
    note: (hours) => `Consumo por ${spanOf(hours)}`,
    balance: 'Saldo',
    chart: (from, to, credits) => `Créditos consumidos de ${from} a ${to}: ${credits}`,
    bar: (label, credits) => `${label}: ${counted(credits, 'crédito', 'créditos')}`,
    idle: (from) => `No se han consumido créditos desde ${from}.`,
    over: 'No quedan créditos. Las solicitudes se rechazan.',
    few: 'Muy pocos cargos para una previsión.',
    early: (from) =>
      `El consumo empezó el ${from}. Una previsión necesita 24 horas de consumo, o 6 horas en las que apenas varíe.`,
    unclear: 'El consumo varía demasiado para una previsión.',
    atRate: (range, charges) => `Alcanza para ${range} al ritmo de los últimos ${charges} cargos.`,
    lasts: (range, from) => `Alcanza para ${range} con el consumo desde ${from}.`,
  },

  start: {
    title: 'Primeros pasos',
    guide: 'Conectar su aplicación',
    progress: (done, all) => `${done} de ${all} completados`,
    done: '(completado)',
    policy: 'Crear una política',
    policyHelp: 'Elija qué detectar y qué ocurre entonces. Empiece con una plantilla.',
    project: 'Crear un proyecto',
    projectHelp: 'Uno por aplicación. Determina la política de sus solicitudes.',
    apiKey: 'Crear una clave de API',
    apiKeyHelp: 'Su aplicación la envía con cada solicitud.',
    attack: 'Bloquear un ataque',
    attackHelp: 'Envíe uno desde el área de pruebas o desde su aplicación.',
  },
};
