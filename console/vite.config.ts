import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
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

/** Names the app and what it imports in the page, so that they load with the entry, which imports the app later. */
const preloadApp: Plugin = {
  name: 'preload-app',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const app = chunks.find(({ name, isDynamicEntry }) => isDynamicEntry && name === 'app');
      const needed = new Set(app ? [app] : []);
      // A set yields what is added while it is iterated.
      for (const { imports } of needed)
        for (const chunk of chunks) if (imports.includes(chunk.fileName) && !chunk.isEntry) needed.add(chunk);
      return [...needed].map(({ fileName }) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `./${fileName}` },
        // After the base of the page, which addresses are relative to.
        injectTo: 'head',
      }));
    },
  },
};

export default defineConfig({
  // Files are relative to the page's base element, which holds the path of `base_url`.
  base: './',
  plugins: [react(), tailwind(), preloadApp],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: Object.fromEntries(paths.map((path) => [`^${path}(/|$|\\?)`, service])) },
  // No inlined assets: the content security policy of the service allows only its own files.
  // The browser evaluates light-dark().
  build: { target: 'es2022', cssTarget: ['chrome123', 'firefox120', 'safari17.5'], assetsInlineLimit: 0 },
  // A zone whose clocks change.
  test: { include: ['tests/units/**/*.test.ts'], environment: 'node', env: { TZ: 'Europe/Berlin' } },
});
