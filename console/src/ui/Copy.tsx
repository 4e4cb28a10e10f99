import { Check, Copy as CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { common } from '@/messages/common';
import { IconButton } from './Button';
import { toast } from './toasts';

/** A button that copies a text to the clipboard. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    if (!(await write(text))) return toast(common.copyBlocked);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <IconButton small label={done ? common.copied : label} onClick={copy}>
      {done ? <Check size={13} /> : <CopyIcon size={13} />}
    </IconButton>
  );
}

/** Writes to the clipboard. The API works only on https and localhost, so there is a fallback. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = document.createElement('textarea');
    box.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(box);
    box.select();
    const copied = document.execCommand('copy');
    box.remove();
    return copied;
  }
}
