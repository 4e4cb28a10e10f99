import { Download } from 'lucide-react';
import { useRef } from 'react';
import type { Schema } from '@/api/client';
import { decimal } from '@/lib/format';
import { save } from '@/lib/save';
import type { Mark } from '@/lib/spans';
import { messages } from '@/messages/playground';
import { Button } from '@/ui/Button';
import { classes } from '@/ui/classes';
import { Marked } from '@/ui/Marked';
import { Card } from '@/ui/Page';
import { Player } from '@/ui/Player';
import { toast } from '@/ui/toasts';

const text = messages.audio;

type Props = { transcription: Schema<'RecordingDecision'>; audio: File; muted: Blob | null; marks: Mark[] };

/** A transcript: its words with their times, and the text and audio without personal data. */
export function Transcript({ transcription, audio, muted, marks }: Props) {
  const player = useRef<HTMLAudioElement>(null);
  const playFrom = (seconds: number) => {
    if (player.current === null) return;
    player.current.currentTime = seconds;
    player.current.play().catch(() => toast(text.unplayable));
  };
  return (
    <Card
      title={text.transcript}
      note={text.note(decimal(transcription.duration_seconds, 1), transcription.recognizer, transcription.lang_code)}
    >
      <div className="space-y-3">
        <Player ref={player} label={text.original} sound={audio} />
        {transcription.transcript === '' ? (
          <p className="text-body text-quiet">{text.empty}</p>
        ) : (
          <Marked text={transcription.transcript} marks={marks} />
        )}
        {transcription.words.length > 0 && <Words words={transcription.words} onPick={playFrom} />}
        {transcription.masked_transcript != null && (
          <div>
            <p className="mb-1 text-xs font-semibold text-quiet">{text.masked}</p>
            <p
              data-testid="masked-transcript"
              className="rounded-md bg-mask-soft p-3 font-mono text-body break-words whitespace-pre-wrap text-mask"
            >
              {transcription.masked_transcript}
            </p>
          </div>
        )}
        {muted && (
          <>
            <Player label={text.muted} sound={muted} />
            <Button small onClick={() => save(muted, 'muted.wav')}>
              <Download aria-hidden size={13} />
              {text.download}
            </Button>
          </>
        )}
      </div>
    </Card>
  );
}

/** Lists the words with their start times. Selecting one plays the audio from there. */
function Words({ words, onPick }: { words: Schema<'HeardWord'>[]; onPick: (seconds: number) => void }) {
  return (
    <div>
      <p className="mb-1 text-xs font-semibold text-quiet">{text.wordsHelp}</p>
      <ol aria-label={text.words} className="flex max-h-44 flex-wrap gap-1 overflow-y-auto p-0.5">
        {words.map(({ word, start, end }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word can occur twice; its position identifies it.
          <li key={index}>
            <button
              type="button"
              title={text.range(decimal(start), decimal(end))}
              onClick={() => onPick(start)}
              className={classes(
                'inline-flex items-baseline gap-1.5 rounded border border-line px-1.5 py-0.5 text-body',
                'hover:bg-sunken',
              )}
            >
              {word}
              <span className="tabular text-2xs text-quiet">{text.seconds(decimal(start))}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
