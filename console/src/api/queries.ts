import { MutationCache, QueryClient } from '@tanstack/react-query';
import { toastError } from '@/ui/toasts';
import { ApiError } from './error';

/** What was asked of the server, kept while it is shown. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refused request is refused again; a failure may be temporary.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
  // A change that nobody shows the failure of is told at the edge of the screen.
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (mutation.meta?.shown !== true) toastError(error);
    },
  }),
});
