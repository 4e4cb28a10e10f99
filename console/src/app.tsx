import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchConnection } from '@/api/connection';
import { queries } from '@/api/queries';
import { router } from '@/router';
import { restore } from '@/session/session';

/** Shows the console. */
export async function show(): Promise<void> {
  watchConnection();
  await restore();
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
