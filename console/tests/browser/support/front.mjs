// Serves a build of the console in front of a service, with the service's headers. A change of the console is tested
// without building the binary again.
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { extname, join, resolve } from 'node:path';

const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.html': 'text/html' };
const SERVED_BY_SERVICE =
  /^\/(api|api-keys|auth|v2|token|login|refresh|logout|openapi\.json|docs|healthz|readyz)(\/|$)/;

/** Listens on `port`, serves the files of `folder`, and forwards everything else to `upstream`. */
export async function front(port, folder, upstream) {
  const root = resolve(folder);
  const { headers } = await fetch(upstream, { headers: { Accept: 'text/html' } });
  const server = createServer((incoming, answer) => {
    const { pathname } = new URL(incoming.url, upstream);
    const isPage = incoming.method === 'GET' && /text\/html/.test(incoming.headers.accept ?? '');
    const file = join(root, pathname);
    if (extname(pathname) !== '' && file.startsWith(root) && existsSync(file))
      return serve(answer, file, headers, incoming);
    if (isPage && !SERVED_BY_SERVICE.test(pathname)) return serve(answer, join(root, 'index.html'), headers);
    forward(incoming, answer, upstream);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
}

function serve(answer, file, headers, incoming) {
  const kept = ['content-security-policy', 'x-content-type-options', 'referrer-policy'].map((name) => [
    name,
    headers.get(name),
  ]);
  const isAsset = file.includes('/assets/');
  const isZipped = /gzip/.test(incoming?.headers['accept-encoding']) && existsSync(`${file}.gz`);
  answer.writeHead(200, {
    ...Object.fromEntries(kept),
    ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Cache-Control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
  });
  answer.end(readFileSync(isZipped ? `${file}.gz` : file));
}

function forward(incoming, answer, upstream) {
  const { method, headers, url } = incoming;
  const outgoing = request(new URL(url, upstream), { method, headers }, (response) => {
    answer.writeHead(response.statusCode, response.headers);
    // A stream is open before its first event.
    answer.flushHeaders();
    response.pipe(answer);
  });
  // Without the service there is no answer at all, as if it were addressed itself.
  outgoing.on('error', () => incoming.socket.destroy());
  incoming.pipe(outgoing);
  answer.on('close', () => outgoing.destroy());
}
