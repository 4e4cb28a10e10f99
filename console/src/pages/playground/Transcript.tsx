import { Download } from 'lucide-react';
import { useMemo, useRef } from 'react';
import type { Schema } from '@/api/client';
import { save } from '@/lib/save';
import type { Mark } from '@/lib/spans';
import { Button } from '@/ui/Button';
import { Marked } from '@/ui/Marked';
import { Card } from '@/ui/Page';
import { Player } from '@/ui/Player';
import { toast } from '@/ui/toasts';

type Props = { heard: Schema<'RecordingDecision'>; recording: File; marks: Mark[] };

/** What was heard in a recording: by whom, word by word, and what is left of it without personal data. */
export function Transcript({ heard, recording, marks }: Props) {
  const player = useRef<HTMLAudioElement>(null);
  const silenced = useMemo(
    () => (heard.silenced_audio == null ? null : wav(heard.silenced_audio)),
    [heard.silenced_audio],
  );
  const playFrom = (seconds: number) => {
    if (player.current === null) return;
    player.current.currentTime = seconds;
    player.current.play().catch(() => toast('This browser does not play the recording.'));
  };
  return (
    <Card
      title="What was heard"
      note={`${heard.duration_seconds.toFixed(1)} s, by ${heard.recognizer}, language ${heard.lang_code}`}
    >
      <div className="space-y-3">
        <Player ref={player} label="The recording as it was sent" sound={recording} />
        {heard.transcript === '' ? (
          <p className="text-body text-quiet">Nothing was heard in it.</p>
        ) : (
          <Marked text={heard.transcript} marks={marks} />
        )}
        {heard.words.length > 0 && <Words words={heard.words} onPick={playFrom} />}
        {heard.masked_transcript != null && (
          <div>
            <p className="mb-1 text-xs font-semibold text-quiet">Without personal data</p>
            <p
              data-testid="masked-transcript"
              className="rounded-md bg-mask-soft p-3 font-mono text-body break-words whitespace-pre-wrap text-mask"
            >
              {heard.masked_transcript}
            </p>
          </div>
        )}
        {silenced && (
          <>
            <Player label="The recording without personal data" sound={silenced} />
            <Button small onClick={() => save(silenced, 'silenced.wav')}>
              <Download aria-hidden size={13} />
              Save it as WAV
            </Button>
          </>
        )}
      </div>
    </Card>
  );
}

/** Each word with the second at which it begins, from which the recording is played. */
function Words({ words, onPick }: { words: Schema<'HeardWord'>[]; onPick: (seconds: number) => void }) {
  return (
    <div>
      <p className="mb-1 text-xs font-semibold text-quiet">Word by word; choose one to hear it</p>
      <ol
        aria-label="Words with their times"
        className="flex max-h-44 flex-wrap gap-1 overflow-y-auto p-0.5"
        tabIndex={0}
      >
        {words.map(({ word, start, end }, index) => (
          <li key={index}>
            <button
              type="button"
              title={`${start.toFixed(2)} to ${end.toFixed(2)} s`}
              onClick={() => onPick(start)}
              className="inline-flex items-baseline gap-1.5 rounded border border-line px-1.5 py-0.5 text-body hover:bg-sunken"
            >
              {word}
              <span className="tabular text-2xs text-quiet">{start.toFixed(2)} s</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

const wav = (base64: string) =>
  new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: 'audio/wav' });
