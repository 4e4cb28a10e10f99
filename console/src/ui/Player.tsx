import { type Ref, useEffect, useState } from 'react';

/** Plays audio from memory, and releases it when it is no longer shown. */
export function Player({ sound, label, ref }: { sound: Blob; label: string; ref?: Ref<HTMLAudioElement> }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(sound);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [sound]);
  return (
    <figure>
      <figcaption className="mb-1 text-xs font-semibold text-quiet">{label}</figcaption>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript next to it is the text alternative. */}
      <audio ref={ref} controls preload="metadata" aria-label={label} src={address} className="h-9 w-full" />
    </figure>
  );
}
