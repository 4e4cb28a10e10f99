import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['policies'] = {
  title: 'Políticas',
  intro:
    'Una política define qué se detecta y qué ocurre entonces. Un proyecto selecciona la política de una aplicación.',
  create: 'Crear política',
  emptyTitle: 'Aún no hay políticas',
  emptyBody:
    'Hasta que cree una, se aplica la política predeterminada: todas las salvaguardas que no necesitan ajustes. Empiece ' +
    'con una plantilla y adáptela.',
  direction: 'Dirección',
  modes: { input: 'Prompts', output: 'Respuestas', unified: 'Prompts y respuestas' },
  guardrails: 'Salvaguardas',
  projects: 'Proyectos',
  shadowed: (project) => `${project} (en sombra)`,
  version: 'Versión',
  updated: 'Actualizada',

  new: {
    title: 'Nueva política',
    startFrom: 'Partir de',
    fromDefault: 'Todas las salvaguardas que no necesitan ajustes',
    fromDescription: 'Una descripción (redactada por un modelo de lenguaje)',
    purpose: '¿Para qué es la política?',
    purposePlaceholder:
      'Un chat para clientes de un banco. Los datos personales no deben llegar al modelo, y los intentos de cambiar su ' +
      'función deben bloquearse.',
    namePlaceholder: 'Servicio de atención',
  },

  page: {
    title: 'Política',
    missing: 'Esta política no existe',
    all: 'Ver todas las políticas',
    test: 'Probar en el área de pruebas',
    locked: 'Su rol puede ver políticas, pero no cambiarlas.',
    sections: 'Secciones de la política',
    tabs: {
      guardrails: 'Salvaguardas',
      keywords: 'Palabras clave',
      general: 'General',
      json: 'JSON',
      compliance: 'Cumplimiento',
      replay: 'Reevaluación',
      shadow: 'Sombra',
      versions: 'Versiones',
    },
    deleteTitle: '¿Eliminar la política?',
    deleteBody:
      '{name} y todas sus versiones se eliminan definitivamente. Ningún proyecto puede usarla, tampoco como política en ' +
      'sombra.',
  },

  json: {
    title: 'Política como JSON',
    note: 'Ctrl Espacio completa campos y valores.',
    changes: 'Mostrar cambios',
    copy: 'Copiar la política como JSON',
    applied: 'Aplicado al borrador.',
    notApplied: 'No aplicado al borrador: corrija primero los lugares subrayados.',
  },

  draft: {
    published:
      'Versión {version}, publicada {time}. Los cambios quedan en un borrador en esta pestaña hasta que los publique.',
    changes: (changes, version) => `Borrador: ${counted(changes, 'cambio', 'cambios')} desde la versión ${version}`,
    discarded: 'Borrador descartado.',
    discard: 'Descartar borrador',
    compare: 'Comparar y publicar',
    title: (version) => `Cambios en la versión ${version}`,
    publish: 'Publicar',
    done: 'Publicada. Se aplica a las solicitudes nuevas.',
  },

  changes: {
    table: 'Cambios',
    none: 'Sin cambios.',
    field: 'Campo',
    before: 'Antes',
    after: 'Después',
    absent: 'No está en la política',
    on: (action) => `Activada, ${action}`,
    off: 'Desactivada',
    ofGuardrail: (guardrail, field) => `${guardrail}: ${field}`,
  },

  general: {
    description: 'Descripción',
    modes: {
      unified: 'Prompts y respuestas',
      input: 'Prompts (antes del modelo)',
      output: 'Respuestas (antes del usuario)',
    },
    maxLength: 'Longitud máxima del prompt (caracteres)',
    maxLengthHint: 'Los prompts más largos se bloquean.',
    incomplete: 'Si una solicitud no se leyó por completo',
    incompleteHint: 'Por ejemplo, una imagen ilegible, un texto demasiado anidado o más de lo que permite un límite.',
    budget: 'Elegir umbrales según un presupuesto de falsos positivos',
    budgetShare: 'Falsos positivos (% de textos inofensivos)',
    budgetHint:
      'Se aplica a cada salvaguarda. Publicar un presupuesto nuevo fija todos los umbrales que no haya cambiado en este ' +
      'borrador.',
    model: 'Modelo de lenguaje para segundas opiniones',
    oldestModel: 'El conector de IA activo más antiguo',
    otherModel: 'Otro conector',
    modelHint: 'Se usa solo para solicitudes con enable_llm_reasoning.',
    mayLower: (amount) => `Puede bajar una confianza hasta ${amount}`,
    mayLowerHint: '0: puede hacer las decisiones más estrictas, pero nunca más permisivas.',
  },

  guardrail: {
    groups: {
      data_protection: 'Protección de datos y privacidad',
      legal_compliance: 'Derecho y cumplimiento',
      fairness_ethics: 'Equidad y ética',
    },
    enabledOf: (enabled, all) => `· ${enabled} de ${all} activadas`,
    only: { input: 'Solo prompts', output: 'Solo respuestas' },
    enable: (guardrail) => `Activar ${guardrail}`,
    action: 'Acción',
    ticket: 'Tique',
    noConnector: 'Sin conector',
    terms: 'Términos confidenciales (uno por línea)',
    threshold: (guardrail) => `Umbral de ${guardrail}`,
    thresholdNumber: (guardrail) => `Umbral de ${guardrail} como número`,
    measured: 'Medido con este umbral: exhaustividad {recall}, falsos positivos {falsePositives}',
    unknown: 'desconocida',
    appliesTo: 'Se aplica a',
    appliesToFor: (guardrail) => ` (${guardrail})`,
    sources: {
      prompt: 'prompts',
      history: 'turnos anteriores',
      documents: 'documentos y resultados de herramientas',
      response: 'respuestas',
      media: 'imágenes y audio',
    },
    exceptions: 'Excepciones',
    exceptionsFor: (guardrail) => ` para ${guardrail}`,
    exceptionCount: (phrases) => `: ${phrases || 'ninguna'}`,
    exceptionsLabel: 'El texto con una de estas frases omite esta salvaguarda (una por línea)',
  },

  masking: {
    enable: 'Enmascarar los datos personales y permitir el texto',
    strategy: 'Estrategia',
    restorable: 'se puede restaurar',
    types: (selected, all) =>
      selected === 0 ? `Tipos de dato: todos (${all})` : `Tipos de dato: ${selected} de ${all}`,
    search: 'Buscar tipos de dato',
    all: 'Detectar todos',
    list: 'Tipos de dato',
    noType: 'Sin coincidencias',
    action: 'El enmascaramiento sustituye a la acción.',
  },

  piiRules: {
    summary: (rules) => (rules === 0 ? 'Ajustes de tipos de dato' : `Ajustes de tipos de dato: ${rules}`),
    table: 'Ajustes de tipos de dato',
    of: (field, number) => `${field} del ajuste ${number}`,
    type: 'Tipo',
    direction: 'Dirección',
    both: 'Ambas',
    input: 'Prompts',
    output: 'Respuestas',
    threshold: 'Umbral',
    strategy: 'Estrategia',
    same: 'Como arriba',
    allow: 'Valores permitidos',
    removal: 'Quitar',
    remove: (number) => `Quitar el ajuste ${number}`,
    add: 'Añadir ajuste',
    note: 'Los valores permitidos, uno por línea, se dejan pasar. Escriba /…/ para una expresión regular. Cuenta el último ajuste de un tipo.',
  },

  customPii: {
    summary: (types) => (types === 0 ? 'Tipos de dato propios' : `Tipos de dato propios: ${types}`),
    table: 'Tipos de dato propios',
    of: (field, number) => `${field} del tipo propio ${number}`,
    name: 'Nombre',
    defaultName: (number) => `tipo_propio_${number}`,
    pattern: 'Expresión regular',
    labels: 'Etiquetas',
    checksum: 'Suma de control',
    none: 'Ninguna',
    removal: 'Quitar',
    remove: (number) => `Quitar el tipo propio ${number}`,
    add: 'Añadir tipo propio',
    note: 'Con etiquetas, una por línea, un valor cuenta solo cerca de una de ellas. Los tipos propios se detectan sean cuales sean los tipos seleccionados.',
  },

  patterns: {
    name: (number) => `Nombre del patrón ${number}`,
    defaultName: (number) => `patrón ${number}`,
    expression: 'Expresión regular',
    remove: (number) => `Quitar el patrón ${number}`,
    add: 'Añadir patrón',
    sample: 'Texto de ejemplo',
    sampleText: 'El pedido ACME-12345 se envió, ACME-9 no.',
    matches: (matches) =>
      `${counted(matches, 'coincidencia', 'coincidencias')} en este navegador. El servicio comprueba el patrón al publicar.`,
  },

  topics: {
    note: 'Dé diez ejemplos o más en cada idioma en el que deba detectarse el tema. En otros idiomas no se detecta.',
    topic: (number) => `Tema ${number}`,
    name: 'Nombre del tema',
    defaultName: (number) => `tema ${number}`,
    description: 'Nota para las personas',
    remove: (number) => `Quitar el tema ${number}`,
    add: 'Añadir tema',
    examples: 'Ejemplos (uno por línea, de 3 a 50)',
    counterexamples: 'Textos parecidos que no tratan del tema (uno por línea)',
    unmeasured: 'Publique la política para ver los falsos positivos esperados.',
    expected: (share) => `Falsos positivos esperados con el umbral publicado: ${share} de los textos inofensivos`,
  },

  references: {
    document: (number) => `Documento de referencia ${number}`,
    remove: (number) => `Quitar el documento de referencia ${number}`,
    add: 'Añadir documento de referencia',
    note: 'Los pasajes de estos documentos se detectan cuando aparecen en un texto.',
  },

  ticket: {
    summary: 'Texto del tique',
    title: 'Título',
    titlePlaceholder: '{guardrail} en {project}',
    titleHint: 'Variables: {guardrail}, {project}, {risk_level}, {reason} y otras.',
    priority: 'Prioridad',
    priorityPlaceholder: 'High',
    labels: 'Etiquetas',
    labelsPlaceholder: 'guardengine security',
  },

  keywords: {
    blockList: 'Lista de bloqueo',
    blockNote: 'El texto con una de estas palabras clave se bloquea, decidan lo que decidan las salvaguardas.',
    allowList: 'Lista de permitidos',
    allowNote:
      'El texto con una de estas palabras clave omite los bloqueos de las salvaguardas. El enmascaramiento se sigue ' +
      'aplicando.',
    count: (keywords) => `${keywords.toLocaleString('es')} de 10.000 palabras clave`,
    import: 'Importar',
    importInto: (list) => ` palabras clave en la ${list.toLowerCase()} desde un archivo`,
    label: (list) => `${list}, una palabra clave por línea. Se ignoran las mayúsculas y los espacios repetidos.`,
  },

  compliance: {
    frameworks: 'Marcos',
    legend: 'Marcos de cumplimiento de esta política',
    region: 'Región',
    regionPlaceholder: 'UE',
    controls: (version) => `Controles que cubre la versión ${version}`,
    note: 'Apoyo técnico para una auditoría, no una prueba de cumplimiento',
    none: 'La versión publicada no nombra ningún marco conocido. Seleccione uno y publique.',
    unknown: (names) => `Almacenados, pero sin controles conocidos: ${names}.`,
    supportedOf: (supported, all) => `· ${supported} de ${all} cubiertos`,
    supported: 'Cubierto',
    notSupported: 'No cubierto',
    by: (guardrails) => `por ${guardrails}`,
    requires: (guardrails) => `requiere ${guardrails}`,
    outOfScope: 'fuera del alcance de las salvaguardas',
  },

  replay: {
    title: 'Reevaluación',
    denied: 'La reevaluación lee el registro y requiere el permiso LOGS:VIEW_LOG.',
    ofDraft: 'Borrador, sobre solicitudes almacenadas',
    ofPublished: 'Versión publicada, sobre solicitudes almacenadas',
    before: (limit, days) =>
      `Vuelve a evaluar hasta ${counted(limit, 'solicitud almacenada', 'solicitudes almacenadas')} de los últimos ` +
      `${counted(days, 'día', 'días')}, primero las más recientes. No se registra ni se cobra nada. Solo se ejecuta una ` +
      'reevaluación a la vez. Los textos enmascarados contienen marcadores en lugar de datos personales.',
    progressLabel: 'Solicitudes reevaluadas',
    progress: (requests, limit) =>
      `${requests.toLocaleString('es')} de hasta ${counted(limit, 'solicitud', 'solicitudes')}`,
    stop: 'Detener',
    days: 'Periodo (días)',
    limit: 'Entradas por ejecución',
    run: 'Reevaluar',
    older: 'Reevaluar entradas anteriores',
    ownProjects: 'Proyectos de esta política',
    noProject: 'Ningún proyecto usa esta política. Seleccione un proyecto o todos los proyectos.',
    summary: (replayed, blocked, allowed, decided) =>
      `De ${counted(replayed, 'solicitud', 'solicitudes')}, ${blocked.toLocaleString('es')} se bloquearían ahora, ` +
      `${allowed.toLocaleString('es')} se permitirían ahora y ${decided.toLocaleString('es')} se decidirían de otro modo.`,
    same: (replayed) => `De ${counted(replayed, 'solicitud', 'solicitudes')}, ninguna se decidiría de otro modo.`,
    otherGuardrails: (entries) =>
      `${counted(entries, 'solicitud activaría', 'solicitudes activarían')} otras salvaguardas, con la misma decisión.`,
    uncertain: (entries) =>
      `${counted(entries, 'cambio más puede', 'cambios más pueden')} deberse a texto enmascarado.`,
    skipped: (entries) => `${counted(entries, 'solicitud', 'solicitudes')} sin poder reevaluarse.`,
    emptyTitle: 'No hay solicitudes que reevaluar',
    emptyBody: 'No hay solicitudes almacenadas en este periodo. Elija un periodo más largo u otros proyectos.',
    allSkipped: (entries) =>
      `${counted(entries, 'solicitud', 'solicitudes')} de este periodo sin poder reevaluarse: sus textos no se ` +
      'almacenaron o procedían de documentos.',
    kinds: {
      blocked: { title: 'Bloqueadas ahora', note: 'Estas solicitudes pasaron y se detendrían.' },
      allowed: { title: 'Permitidas ahora', note: 'Estas solicitudes se detuvieron y pasarían.' },
      decided: { title: 'Decididas de otro modo', note: 'Un resultado parecido por otra acción, como enmascarar.' },
      guardrails: { title: 'Otras salvaguardas', note: 'La decisión se mantiene, pero se activan otras salvaguardas.' },
      masked: {
        title: 'Entradas con texto enmascarado',
        note: 'La política vio marcadores en lugar de los datos personales. La decisión puede ser otra para el texto original.',
      },
    },
    request: 'Solicitud',
    decision: 'Decisión de entonces',
    newDecision: 'Nueva decisión',
    triggeredBefore: 'Activadas entonces',
    triggered: 'Activadas ahora',
    nothing: 'Ninguna salvaguarda',
    comparison: 'Ambas decisiones',
    previousChange: 'Cambio anterior',
    nextChange: 'Cambio siguiente',
    openEntry: 'Abrir la entrada del registro',
  },

  shadow: {
    title: 'Sombra',
    note: 'Evalúa solicitudes reales sin afectar a las decisiones',
    table: 'Proyectos que esta política sigue en sombra',
    empty: 'Esta política no sigue ningún proyecto en sombra.',
    activePolicy: 'Política activa',
    lastWeek: 'Últimos 7 días',
    stop: 'Dejar de seguir',
    another: 'Seguir otro proyecto',
    choose: 'Elija un proyecto',
    start: 'Empezar a seguir',
    saveDraft: 'Guardar borrador como política nueva',
    draftName: (policy, version) => `${policy} (borrador de la versión ${version})`,
    draftSaved: 'El borrador se guardó como política nueva. Seleccione un proyecto que deba seguir en sombra.',
    wouldBlock: (more, all) => `${more} de ${all} solicitudes se habrían bloqueado además`,
  },

  versions: {
    title: 'Versiones',
    count: (versions) => counted(versions, 'versión', 'versiones'),
    current: 'Actual',
    author: 'Autor',
    published: 'Publicada',
    compare: 'Comparar',
    compareWith: (version) => ` con la versión ${version}`,
    older: 'Cargar versiones anteriores',
    changes: (version) => `Cambios de la versión actual a la versión ${version}`,
    rollBack: (version) => `Volver a la versión ${version}`,
    rolledBack: 'Restaurada. La versión anterior se publicó como versión nueva.',
  },
};
