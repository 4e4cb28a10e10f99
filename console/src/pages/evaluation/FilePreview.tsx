import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { answer, api } from '@/api/client';
import { messages } from '@/messages/evaluation';
import { Loaded } from '@/ui/Loaded';
import { Pill } from '@/ui/Pill';
import { formatOf, formOf } from './data';

const text = messages.create;

/** What the service reads in a file: the first cases, and the lines that are not cases. */
export function FilePreview({ file, onChecked }: { file: File; onChecked: (isAccepted: boolean) => void }) {
  const format = formatOf(file);
  const query = useQuery({
    queryKey: ['evaluation-preview', file.name, file.size, file.lastModified],
    queryFn: () =>
      answer(
        api.POST('/api/evaluation/datasets/preview', {
          body: { file: file.name, format },
          bodySerializer: () => formOf(file, { format }),
        }),
      ),
    retry: false,
  });
  const checked = useEffectEvent(onChecked);
  useEffect(() => checked(query.data?.errors.length === 0), [query.data]);
  return (
    <Loaded query={query}>
      {({ cases, attacks, first, errors }) => (
        <div className="space-y-3">
          <p role="status">{text.found(cases, attacks)}</p>
          {errors.length > 0 && (
            <section aria-label={text.errors} className="rounded-md bg-block-soft px-3 py-2 text-block">
              <h3 className="text-xs font-semibold">{text.errors}</h3>
              <ul className="text-xs">
                {errors.map(({ line, message }) => (
                  <li key={`${line} ${message}`} className="break-words">
                    {text.error(line, message)}
                  </li>
                ))}
              </ul>
            </section>
          )}
          {first.length > 0 && (
            <section aria-label={text.first}>
              <h3 className="text-xs font-semibold text-quiet">{text.first}</h3>
              <ol className="divide-y divide-line">
                {first.map((one, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cases of a file keep their places.
                  <li key={index} className="flex items-start gap-2 py-1.5">
                    <span className="line-clamp-2 min-w-0 flex-1 break-words">{one.text}</span>
                    {one.labels.map((label) => (
                      <Pill key={label}>{label}</Pill>
                    ))}
                    {one.expect && <Pill tone={one.expect === 'flag' ? 'block' : 'allow'}>{one.expect}</Pill>}
                  </li>
                ))}
              </ol>
            </section>
          )}
        </div>
      )}
    </Loaded>
  );
}
