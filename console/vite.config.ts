import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The running service that `npm run dev` uses.
const service = process.env.GUARDENGINE_URL ?? 'http://127.0.0.1:8080';
const paths = [
  '/api',
  '/api-keys',
  '/auth',
  '/v2',
  '/token',
  '/login',
  '/refresh',
  '/logout',
  '/openapi.json',
  '/docs',
];

export default defineConfig({
  // Files are relative to the page's base element, which holds the path of `base_url`.
  base: './',
  plugins: [react(), tailwind()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: Object.fromEntries(paths.map((path) => [`^${path}(/|$|\\?)`, service])) },
  // No inlined assets: the content security policy of the service allows only its own files.
  // The browser evaluates light-dark().
  build: { target: 'es2022', cssTarget: ['chrome123', 'firefox120', 'safari17.5'], assetsInlineLimit: 0 },
  // A zone whose clocks change.
  test: { include: ['tests/units/**/*.test.ts'], environment: 'node', env: { TZ: 'Europe/Berlin' } },
});
