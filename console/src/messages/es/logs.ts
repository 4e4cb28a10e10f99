import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

const entriesOf = (entries: number) => counted(entries, 'entrada', 'entradas');
const number = (value: number | null | undefined) => value?.toLocaleString('es') ?? '–';

export const messages: Dictionary['logs'] = {
  title: 'Registro en vivo',
  pause: 'Pausar',
  resume: 'Reanudar',
  columns: 'Columnas',
  resize: (column) => `Ancho de ${column}`,
  usualWidth: 'Automático',
  facets: 'Facetas',
  table: 'Entradas del registro',
  showNew: (entries) => `Mostrar ${counted(entries, 'entrada nueva', 'entradas nuevas')}`,
  loaded: (entries) => counted(entries, 'entrada cargada', 'entradas cargadas'),
  zone: (name) => `Horas en ${name}`,
  loadingOlder: 'Cargando entradas anteriores…',
  scrollForOlder: 'Desplácese para cargar entradas anteriores.',

  histogram: {
    label: 'Entradas a lo largo del tiempo',
    lastDay: 'Las últimas 24 horas. Seleccione un periodo para ver otras.',
    chart: 'Entradas a lo largo del tiempo por resultado',
    bar: (label, entries) => `${label}: ${entriesOf(entries)}`,
    since: (time) => `Recuento desde ${time}: las 5000 entradas coincidentes más recientes.`,
  },

  live: {
    live: 'En vivo',
    paused: 'En pausa',
    past: 'Periodo pasado',
    connecting: 'Conectando…',
    failed: (error) => `Fallo de la actualización en vivo: ${error}`,
  },

  empty: {
    clear: 'Borrar filtros',
    title: 'Aún no hay solicitudes',
    body: 'Las entradas de sus proyectos aparecen aquí un segundo después de la primera llamada.',
    action: 'Enviar una solicitud desde el área de pruebas',
  },

  search: {
    label: 'Filtro',
    misspelled: (keyword, meant) =>
      `Ningún campo se llama «${keyword}», por lo que se busca en el texto. ¿Quería decir ${meant}?`,
    placeholder: 'decision:block guardrail:pii user:ann risk:high app:chat last:24h "palabras del texto"',
    refused: 'No hay entradas para este filtro',
    refusedBody: 'El servicio rechaza un valor del filtro. Corríjalo arriba.',
    clear: 'Borrar filtros',
  },

  fields: {
    time: 'Hora',
    decision: 'Decisión',
    triggered: 'Activadas',
    text: 'Texto',
    safety: 'Seguridad',
    risk: 'Riesgo',
    guardrail: 'Salvaguarda',
    project: 'Proyecto',
    policy: 'Política',
    user: 'Usuario',
    application: 'Aplicación',
    endpoint: 'Punto de acceso',
    direction: 'Dirección',
    latency: 'Latencia',
    outcome: 'Resultado',
    feedback: 'Valoración',
    shadow: 'En sombra',
    shadowPolicy: 'Política en sombra',
    language: 'Idioma',
    caller: 'Emisor',
    endUser: 'Usuario final',
    device: 'Dispositivo',
    context: 'Contexto',
    conversation: 'Conversación',
    surface: 'Interfaz',
    foreignId: 'ID de llamada del cliente',
    processingTime: 'Tiempo de proceso',
    modelTime: 'Tiempo del modelo',
    promptTokens: 'Tokens del prompt',
    completionTokens: 'Tokens de la respuesta',
    tokens: 'Tokens',
    credits: 'Créditos',
    model: 'Modelo',
    logId: 'ID del registro',
  },
  tokens: (prompt, completion) => `${number(prompt)} + ${number(completion)}`,
  copyLogId: 'Copiar ID del registro',
  policyVersion: (version) => `Versión ${version ?? '–'}`,
  endpointAndDirection: (endpoint, direction) => `${endpoint}, ${direction}`,
  more: (others) => `+${others}`,

  countedAll: (entries) => `Recuento de todas las entradas: ${entriesOf(entries)}.`,
  countedNewest: (entries) => `Recuento de lo más reciente: ${entriesOf(entries)}.`,

  export: {
    button: 'Exportar',
    csv: 'CSV, para hojas de cálculo',
    jsonl: 'JSON Lines, para programas',
    labeled: 'Entradas con valoración como textos etiquetados, para guardengine eval',
    done: 'Exportación guardada. Consta en el registro de auditoría.',
  },

  entry: {
    title: 'Solicitud',
    newer: 'Entrada más reciente',
    older: 'Entrada más antigua',
    safety: 'Seguridad {score} de 100',
    beforeMasking: (risk, score) => `Riesgo antes de enmascarar: ${risk} (seguridad ${score} de 100)`,
    decidedBy: 'Motivo:',
    details: 'Detalles',
    playground: 'Abrir en el área de pruebas',
    replay: 'Reevaluar con un borrador de su política',
    sameUser: 'Mostrar más de este usuario',
    sameApplication: 'Mostrar más de esta aplicación',
  },

  places: {
    document: (number: number) => `en el documento ${number}`,
    image: (number: number) => `en la imagen ${number}`,
    turn: (number: number) => `en el turno ${number} del historial`,
    transcript: 'en la transcripción',
  },

  findings: {
    label: 'Salvaguardas',
    title: 'Salvaguardas',
    help: 'Confianza de 0 a 1. Una salvaguarda se activa a partir de su umbral, la marca de la barra.',
    none: 'Ninguna salvaguarda se activó.',
    belowThreshold: (guardrails) => `No se activaron: ${counted(guardrails, 'salvaguarda', 'salvaguardas')}`,
    noConfidences: 'El registro solo conserva las salvaguardas que se activaron.',
  },

  text: {
    label: 'Texto',
    title: 'Texto almacenado',
    none: 'El texto no se almacenó: el contenido del registro de este proyecto es «none».',
    incomplete:
      'Los datos personales se enmascararon antes de almacenar el texto. Los hallazgos posteriores al primer valor ' +
      'enmascarado no se resaltan.',
    decoded: (evidence) => `Texto decodificado: ${evidence}`,
  },

  reveal: {
    button: 'Revelar texto',
    title: '¿Revelar el texto original?',
    submit: 'Revelar',
    reason: 'Motivo',
    reasonHint: 'El motivo, su nombre y esta entrada constan en el registro de auditoría.',
    notSealed: 'El texto original no se almacenó. Los proyectos cuyo contenido del registro es «sealed» lo almacenan.',
    notPermitted: 'Revelar el texto original requiere el permiso LOGS:REVEAL_TEXT.',
    original: 'Texto original',
    recorded: 'Texto original. El acceso consta en el registro de auditoría.',
  },

  timing: {
    label: 'Tiempos',
    title: (ms) => `Tiempo empleado: ${ms} ms en total`,
    duration: (ms) => `${ms} ms`,
    stages: {
      policy: 'Política y saldo',
      waiting: 'Espera de un núcleo de CPU',
      media: 'Imágenes y audio',
      reading: 'Decodificación del texto',
      scores: 'Puntuaciones de los clasificadores',
      opinion: 'Modelo de lenguaje',
      verdict: 'Detectores y decisión',
      upstream: 'Modelo detrás de la pasarela',
    },
  },

  feedback: {
    label: 'Valoración',
    given: (name) => `Valoración: ${name}`,
    givenWithNote: (name, note) => `Valoración: ${name}. ${note}`,
    dialog: (name) => `Señalar como ${name}`,
    submit: 'Guardar valoración',
    note: 'Nota',
    noteHint:
      'Explique el motivo para quien revise esta entrada más tarde. La nota también consta en el registro de auditoría.',
    saved: 'Valoración guardada.',
    removed: 'Valoración eliminada.',
    undone: 'Valoración restaurada.',
  },

  bulk: {
    correct: 'Correcta (sin valoración)',
    done: (entries) => `Valoración guardada para ${counted(entries, 'entrada', 'entradas')}.`,
    unchanged: 'Todas las entradas seleccionadas ya tienen esta valoración.',
    failed: (entries) => `${counted(entries, 'entrada no se pudo', 'entradas no se pudieron')} modificar.`,
    tooMany: (most) => `Seleccione como máximo ${counted(most, 'entrada', 'entradas')} para valorarlas.`,
  },

  exception: {
    button: 'Añadir excepción',
    title: (policy) => `Excepción en ${policy}`,
    submit: 'Añadir al borrador',
    scope: 'Se aplica a',
    one: (guardrail) => `Solo ${guardrail}`,
    all: 'Todas las salvaguardas',
    words: 'Palabras permitidas',
    wordsHint: 'Se ignoran las mayúsculas y los espacios repetidos.',
    effectOne: (guardrail) =>
      `El texto con estas palabras omite la salvaguarda «${guardrail}». Todas las demás salvaguardas se siguen aplicando.`,
    effectAll:
      'El texto con estas palabras omite los bloqueos de las salvaguardas. El enmascaramiento, la lista de bloqueo y el ' +
      'límite de longitud se siguen aplicando.',
    advice:
      'Elija palabras que solo aparezcan en textos inofensivos. Esas solicitudes se registran como «se bloquearía».',
    draft: (policy) => `Nada cambia hasta que publique el borrador de ${policy}.`,
  },

  chips: {
    label: 'Condiciones',
    is: 'es',
    isNot: 'no es',
    turn: (field, value, isNot) =>
      isNot ? `${field} no es ${value}: mostrar solo estas` : `${field} es ${value}: excluir estas`,
    remove: (field, value) => `Quitar la condición ${field} ${value}`,
    names: {
      decision: 'Decisión',
      outcome: 'Resultado',
      guardrail: 'Salvaguarda',
      risk: 'Riesgo',
      mark: 'Valoración',
      source_app: 'Aplicación',
      username: 'Usuario',
      principal: 'Emisor',
      surface: 'Interfaz',
      conversation_id: 'Conversación',
    },
  },

  views: {
    title: 'Vistas',
    none: 'Aún no hay vistas guardadas. Guarde los filtros, el periodo y las columnas actuales con un nombre.',
    save: 'Guardar esta vista',
    manage: 'Eliminar vistas',
    shared: 'Compartida',
    share: 'Compartir con la organización',
    help: 'Guarda los filtros, el periodo y las columnas.',
    saved: (name) => `Vista «${name}» guardada.`,
    remove: (name) => `Eliminar la vista ${name}`,
  },
};
