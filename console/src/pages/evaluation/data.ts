import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from '@/api/client';
import { queries } from '@/api/queries';

export type Dataset = Schema<'DatasetRecord'>;
export type Run = Schema<'RunRecord'>;
export type Report = Schema<'EvaluationReport'>;

const MAX_PAGE = 500;
const LIVE_MS = 1_500;
const IDLE_MS = 15_000;

/** Whether a run will still change. */
export const isOpen = ({ status }: Pick<Run, 'status'>): boolean => status === 'queued' || status === 'running';

/** The datasets of the organization: at most 50. */
export const datasets = queryOptions({
  queryKey: ['evaluation', 'datasets'],
  queryFn: async () =>
    (await answer(api.GET('/api/evaluation/datasets', { params: { query: { limit: MAX_PAGE } } }))).datasets,
});

/** The runs of the organization, at most 100; updated while one is open. */
export const runs = queryOptions({
  queryKey: ['evaluation', 'runs'],
  queryFn: async () => (await answer(api.GET('/api/evaluation/runs', { params: { query: { limit: MAX_PAGE } } }))).runs,
  refetchInterval: ({ state }) => (state.data?.some(isOpen) ? LIVE_MS : IDLE_MS),
});

/** A run with its report; updated until it is finished. */
export const runOf = (run_id: string) =>
  queryOptions({
    queryKey: ['evaluation', 'runs', run_id],
    queryFn: () => answer(api.GET('/api/evaluation/runs/{run_id}', { params: { path: { run_id } } })),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? LIVE_MS : false),
  });

/** Reads datasets and runs again. */
export const refresh = () => queries.invalidateQueries({ queryKey: ['evaluation'] });

/** Returns a form with a file of cases. */
export function formOf(file: File, fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', file, file.name);
  return form;
}

/** Returns the format of a file by its name. */
export const formatOf = (file: File): string => (/\.csv$/i.test(file.name) ? 'csv' : 'jsonl');
