import { messages } from '@/messages/projects';

/** The forms in which log entries keep texts, as options of a select. */
export const LOG_CONTENTS = [
  ['masked', messages.logContents.masked],
  ['sealed', messages.logContents.sealed],
  ['full', messages.logContents.full],
  ['none', messages.logContents.none],
] as const;
