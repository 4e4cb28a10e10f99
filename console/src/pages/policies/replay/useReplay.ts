import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { answer, api } from '@/api/client';
import { type StoredPolicy, sent } from '@/lib/policy';
import type { Draft } from '../useDraft';
import { KINDS, type Kind, kindOf, type Replayed } from './changes';

export type ReplayResult = {
  replayed: number;
  skipped: number;
  changes: Record<Kind, Replayed[]>;
  /** The position from which each project continues. */
  cursors: Record<string, string>;
};

const nothing = (): ReplayResult => ({
  replayed: 0,
  skipped: 0,
  changes: Object.fromEntries(KINDS.map((kind) => [kind, []])) as unknown as ReplayResult['changes'],
  cursors: {},
});

export type Scope = { projects: string[]; days: number; limit: number };

// Few enough that the progress is seen, and that a replay soon stops.
const CHUNK = 25;
const DAY = 86_400_000;

/** Replays the stored requests of each project in small portions, and adds up the results. */
export function useReplay(stored: StoredPolicy, draft: Draft, { projects, days, limit }: Scope) {
  const [result, setResult] = useState(nothing);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async (resume: boolean) => {
      stop.current = new AbortController();
      const from = new Date(Date.now() - days * DAY).toISOString();
      const policy = draft.changed > 0 ? sent(stored, draft.policy) : undefined;
      const part = (project: string, size: number, cursor: string | undefined) => {
        const body = { from, limit: size, project: project || undefined, policy, cursor };
        const params = { path: { policyId: stored.policyId } };
        return answer(api.POST('/api/policy/{policyId}/replay', { params, body }));
      };
      let total: ReplayResult = { ...(resume ? result : nothing()), cursors: {} };
      setResult(total);
      for (const project of projects) {
        let cursor = resume ? result.cursors[project] : undefined;
        if (resume && cursor === undefined) continue;
        let left = Math.max(1, Math.floor(limit / projects.length));
        while (left > 0 && !stop.current.signal.aborted) {
          const page = await part(project, Math.min(CHUNK, left), cursor);
          left -= page.replayed + page.skipped;
          cursor = page.next_cursor ?? undefined;
          total = added(total, page);
          setResult(total);
          if (cursor === undefined) break;
        }
        if (cursor !== undefined) total = { ...total, cursors: { ...total.cursors, [project]: cursor } };
      }
      setResult(total);
    },
  });
  return { result, run, cancel: () => stop.current.abort() };
}

type Part = { replayed: number; skipped: number; rows: Replayed[] };

function added(total: ReplayResult, { replayed, skipped, rows }: Part): ReplayResult {
  const changes = { ...total.changes };
  for (const kind of KINDS) changes[kind] = [...changes[kind], ...rows.filter((entry) => kindOf(entry) === kind)];
  return { ...total, replayed: total.replayed + replayed, skipped: total.skipped + skipped, changes };
}
