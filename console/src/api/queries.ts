import { MutationCache, QueryClient } from '@tanstack/react-query';
import { toastError } from '@/ui/toasts';
import { ApiError } from './error';

/** The cache of server data. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Retry only failures that may be temporary. A refused request would be refused again.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
    },
    // A change that cannot be sent fails now. It is not sent later, when nobody expects it.
    mutations: { networkMode: 'always' },
  },
  // Failed changes appear as a toast unless their component shows the error.
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (mutation.meta?.shown !== true) toastError(error);
    },
  }),
});
